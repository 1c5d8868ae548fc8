/** From a line of a CUDA, C++ or Python file to the PTX that was generated from it, if that is open. */

import * as vscode from 'vscode';
import type { Location } from 'vscode-languageclient/node';

import type { Session } from './session';

interface Generated {
  /** Counted from 0. */
  readonly lines: readonly { readonly line: number; readonly instructions: number }[];
  readonly places: readonly Location[];
}

const COMMAND = 'ptx-lsp.ptxOfSource';
const SHOW = 'ptx-lsp.showPtxOfSource';
const SOURCES = ['cuda-cpp', 'cpp', 'c', 'python', 'rust', 'julia'].flatMap((language) => [
  { scheme: 'file', language },
]);

export function registerSources(session: Session): vscode.Disposable[] {
  return [
    vscode.languages.registerCodeLensProvider([...SOURCES, { scheme: 'file', pattern: '**/*.{cu,cuh}' }], {
      provideCodeLenses: (document) => lenses(session, document),
    }),
  ];
}

/** The server is asked only while a PTX document is open: there is no PTX to show otherwise. */
function isPtxOpen(): boolean {
  return vscode.workspace.textDocuments.some((one) => one.languageId === 'ptx');
}

async function lenses(session: Session, document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
  if (!isPtxOpen() || !session.client) {
    return [];
  }
  const { lines } = await session.execute<Generated>(COMMAND, document.uri.toString());
  return lines
    .filter(({ line }) => line < document.lineCount)
    .map(({ line, instructions }) => {
      const title = `${String(instructions)} PTX instruction${instructions === 1 ? '' : 's'}`;
      const command = { title, command: SHOW, arguments: [document.uri, line] };
      return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command);
    });
}

/** Shows the PTX of a line, of that at the cursor by default. */
export async function showPtxOfSource(session: Session, uri?: vscode.Uri, line?: number): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const source = uri ?? editor?.document.uri;
  const at = line ?? editor?.selection.active.line;
  if (!source || at === undefined) {
    return;
  }
  await session.ready();
  const { places } = await session.execute<Generated>(COMMAND, source.toString(), at);
  const convert = session.client?.protocol2CodeConverter;
  if (!convert || !places.length) {
    void vscode.window.showInformationMessage('No open PTX file has code of this line.');
    return;
  }
  const found = places.map((one) => convert.asLocation(one));
  const position = new vscode.Position(at, 0);
  await vscode.commands.executeCommand('editor.action.peekLocations', source, position, found, 'peek');
}
