/** The editor that commands are about. */

import * as vscode from 'vscode';

/** The PTX editor in front. */
export function ptxEditor(): vscode.TextEditor {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== 'ptx') {
    throw new Error('Open a PTX file first.');
  }
  return editor;
}
