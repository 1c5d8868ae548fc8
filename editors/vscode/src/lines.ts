/** Links of pages to lines of files: they open an address of ours, and the line is shown instead. */

import * as vscode from 'vscode';

import { type Line, lineAt } from './links';
import { SCHEME } from './pages';

export function registerLines(): vscode.Disposable {
  // A tab and not an editor is looked for: our addresses are shown as Markdown unless a setting says otherwise.
  return vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
    for (const tab of [...opened, ...changed]) {
      const uri = uriOf(tab);
      const line = uri?.scheme === SCHEME ? lineAt(uri.path) : undefined;
      if (line) {
        void showLine(tab, line);
      }
    }
  });
}

/** Show a line where its file is open, and close the tab of the address that stands for it. */
async function showLine(standsFor: vscode.Tab, { file, line }: Line): Promise<void> {
  const { tabGroups } = vscode.window;
  const uri = vscode.Uri.parse(file);
  const shown = tabGroups.all.find((group) => group.tabs.some((tab) => uriOf(tab)?.toString() === uri.toString()));
  const at = new vscode.Position(line - 1, 0);
  if (!(await tabGroups.close(standsFor, true).then((closed) => closed, () => false))) {
    return; // it was closed already
  }
  await vscode.window.showTextDocument(uri, {
    viewColumn: shown?.viewColumn ?? vscode.ViewColumn.One,
    selection: new vscode.Range(at, at),
  });
}

function uriOf({ input }: vscode.Tab): vscode.Uri | undefined {
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
}
