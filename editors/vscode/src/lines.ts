/** Links of pages to lines of files: they open an address of ours, and the line is shown instead. */

import * as vscode from 'vscode';

import { type Line, lineAt } from './links';
import { SCHEME } from './pages';

export function registerLines(): vscode.Disposable {
  return vscode.window.onDidChangeActiveTextEditor((editor) => {
    const { uri } = editor?.document ?? {};
    const line = uri?.scheme === SCHEME ? lineAt(uri.path) : undefined;
    if (uri && line) {
      void showLine(uri, line);
    }
  });
}

/** Show a line where its file is open, and close the address that stands for it. */
async function showLine(address: vscode.Uri, { file, line }: Line): Promise<void> {
  const uri = vscode.Uri.parse(file);
  const { tabGroups } = vscode.window;
  const standsFor = tabGroups.all.flatMap((group) => group.tabs).filter((tab) => isOf(tab, address));
  const shown = tabGroups.all.find((group) => group.tabs.some((tab) => isOf(tab, uri)));
  const at = new vscode.Position(line - 1, 0);
  try {
    await vscode.window.showTextDocument(uri, {
      viewColumn: shown?.viewColumn ?? vscode.ViewColumn.One,
      selection: new vscode.Range(at, at),
    });
  } finally {
    await tabGroups.close(standsFor, true);
  }
}

function isOf({ input }: vscode.Tab, uri: vscode.Uri): boolean {
  return input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
}
