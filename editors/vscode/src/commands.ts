/** The commands of the palette and the menus. */

import * as vscode from 'vscode';
import type { Location, Position } from 'vscode-languageclient/node';

import { decode } from './decode';
import { ptxEditor } from './editor';
import { openSettings } from './messages';
import { findPage, INDEX, type Page, showPage } from './pages';
import type { Session } from './session';
import { showPtxOfSource } from './sources';
import { chooseForFile, chooseForWorkspace } from './target';
import { topicsAt } from './topics';

export function registerCommands(session: Session): vscode.Disposable[] {
  const register = (name: string, action: (...args: never[]) => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(`ptx-lsp.${name}`, (...args: never[]) => reporting(() => action(...args)));
  return [
    register('restart', () => session.restart()),
    register('showOutput', () => session.log.show()),
    register('openSettings', (query?: string) => openSettings(query)),
    register('showPage', () => showPageHere(session)),
    register('showIndex', () => session.ready().then(() => showPage(INDEX))),
    register('decode', () => decode(session)),
    register('showOrigin', () => showPageAt(session, 'originAt', 'There is no register at the cursor.')),
    register('showUses', () => showPageAt(session, 'usesAt', 'There is no register at the cursor.')),
    register('showFlow', () => showPageAt(session, 'flowAt', 'The cursor is not in a function with a body.')),
    register('showPtxOfSource', (uri?: vscode.Uri, line?: number) => showPtxOfSource(session, uri, line)),
    register('showBarriers', () => showPageAt(session, 'barriersAt', 'The cursor is not in a function with a body.')),
    register('chooseTarget', () => chooseForWorkspace(session)),
    register('chooseFileTarget', () => chooseForFile(session, 'target')),
    register('chooseFileVersion', () => chooseForFile(session, 'version')),
    register('fixAll', () => fixAll(session)),
    register('showReferences', (uri: string, place: Position, locations: Location[]) =>
      showReferences(session, uri, place, locations),
    ),
  ];
}

/** What a command refuses is a message, not a line in a log. */
async function reporting(action: () => unknown): Promise<unknown> {
  try {
    return await action();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(`${text.charAt(0).toUpperCase()}${text.slice(1)}`);
    return undefined;
  }
}

async function showPageHere(session: Session): Promise<void> {
  const { document, selection } = ptxEditor();
  const line = document.lineAt(selection.active.line).text;
  await session.ready();
  await showPage(await findPage(session, topicsAt(line, selection.active.character, document.getText(selection))));
}

/** The page that a command of the server makes for the place of the cursor. */
async function showPageAt(session: Session, command: string, nothing: string): Promise<void> {
  const { document, selection } = ptxEditor();
  const place = { line: selection.active.line, character: selection.active.character };
  await session.ready();
  const page = await session.execute<Page | null>(`ptx-lsp.${command}`, document.uri.toString(), place);
  if (!page?.uri) {
    throw new Error(nothing);
  }
  await showPage(page.uri);
}

async function fixAll(session: Session): Promise<void> {
  const { document } = ptxEditor();
  await session.ready();
  const { fixed } = await session.execute<{ fixed: number }>('ptx-lsp.fixAll', document.uri.toString());
  if (!fixed) {
    void vscode.window.showInformationMessage('No unambiguous fixes here.');
  }
}

/** The command of lenses that count references. */
async function showReferences(session: Session, uri: string, place: Position, locations: Location[]): Promise<void> {
  const convert = session.client?.protocol2CodeConverter;
  if (convert) {
    await vscode.commands.executeCommand(
      'editor.action.showReferences',
      convert.asUri(uri),
      convert.asPosition(place),
      locations.map((one) => convert.asLocation(one)),
    );
  }
}
