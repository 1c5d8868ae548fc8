/** Choosing a target or a version: for the file, which then says so itself, or for the workspace, as a setting. */

import * as vscode from 'vscode';

import { SECTION } from './configuration';
import { ptxEditor } from './editor';
import type { Session } from './session';

export interface Layout {
  readonly name: string;
  readonly title: string;
  readonly bits: number;
}

/** The answer of the server's command `choices`. */
interface Choices {
  readonly targets: readonly string[];
  readonly versions: readonly string[];
  readonly layouts: readonly Layout[];
}

export function choices(session: Session): Promise<Choices> {
  return session.execute<Choices>('ptx-lsp.choices');
}

/** Write another `.target` or `.version` into the file. */
export async function chooseForFile(session: Session, kind: 'target' | 'version'): Promise<void> {
  const { document } = ptxEditor();
  await session.ready();
  const known = await choices(session);
  const title = `Set .${kind} of ${vscode.workspace.asRelativePath(document.uri)}`;
  const word = await vscode.window.showQuickPick(kind === 'target' ? known.targets : known.versions, { title });
  if (word) {
    await session.execute(kind === 'target' ? 'ptx-lsp.setTarget' : 'ptx-lsp.setVersion', document.uri.toString(), word);
  }
}

/**
 * Check all files as if they were for one target: the setting `ptx-lsp.target`, of the workspace if there is one.
 *
 * A setting and not `ptx-lsp.toml`: that file is the project's, and its owner writes it.
 */
export async function chooseForWorkspace(session: Session): Promise<void> {
  await session.ready();
  const known = await choices(session);
  const inWorkspace = vscode.workspace.workspaceFolders !== undefined;
  const configuration = vscode.workspace.getConfiguration(SECTION);
  const unset = 'Target of each file';
  const picked = await vscode.window.showQuickPick([unset, ...known.targets], {
    title: `Check ${inWorkspace ? 'All Files of This Workspace' : 'All Files'} for`,
    placeHolder: configuration.get<string>('target') || unset,
  });
  if (picked) {
    const level = inWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
    await configuration.update('target', picked === unset ? undefined : picked, level);
  }
}
