/** "Decode Descriptor": the one at the cursor, or a value that is selected or typed. */

import * as vscode from 'vscode';

import { type Page, showPage } from './pages';
import type { Session } from './session';
import { choices, type Layout } from './target';
import { valueIn } from './topics';

export async function decode(session: Session): Promise<void> {
  await session.ready();
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId === 'ptx') {
    const { document, selection } = editor;
    const place = { line: selection.active.line, character: selection.active.character };
    const here = await session.execute<Page | null>('ptx-lsp.decodeAt', document.uri.toString(), place);
    if (here?.uri) {
      await showPage(here.uri);
      return;
    }
  }
  const value = await askForValue(editor);
  const layout = value && (await askForLayout(session));
  if (layout) {
    const { uri } = await session.execute<Page>('ptx-lsp.decode', value, layout.name);
    await showPage(uri as string);
  }
}

async function askForValue(editor: vscode.TextEditor | undefined): Promise<string | undefined> {
  const range = editor && (editor.selection.isEmpty ? editor.document.getWordRangeAtPosition(editor.selection.active) : editor.selection);
  const value = valueIn((range && editor.document.getText(range)) || '');
  const text = await vscode.window.showInputBox({
    title: 'Decode a Descriptor',
    prompt: 'The value: 0x…, 0b… or a decimal number; ? for unknown digits',
    ...(value ? { value } : {}),
    placeHolder: '0x08200490',
    validateInput: (typed) => (valueIn(typed) ? undefined : 'Expected 0x…, 0b… or a decimal number.'),
  });
  return text && valueIn(text);
}

async function askForLayout(session: Session): Promise<Layout | undefined> {
  const { layouts } = await choices(session);
  const items = layouts.map((layout) => ({ label: layout.name, description: `${layout.bits} bits`, detail: layout.title, layout }));
  return (await vscode.window.showQuickPick(items, { title: 'Of What?', matchOnDetail: true }))?.layout;
}
