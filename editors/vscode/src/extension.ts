/** Where VS Code begins and ends. */

import * as vscode from 'vscode';

import { registerCommands } from './commands';
import { SECTION } from './configuration';
import { tellFailures } from './messages';
import { registerPages } from './pages';
import { Session } from './session';
import { OWN_SETTINGS } from './settings';
import { registerSources } from './sources';
import { showStatus } from './status';

let session: Session | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel('PTX', { log: true });
  const here = new Session(context, log);
  session = here;
  context.subscriptions.push(
    log,
    here,
    tellFailures(here),
    showStatus(here),
    registerPages(here),
    ...registerCommands(here),
    ...registerSources(here),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void here.restart()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (OWN_SETTINGS.some((name) => name !== 'trace.server' && change.affectsConfiguration(`${SECTION}.${name}`))) {
        void here.restart();
      }
    }),
  );
  void here.start(); // the editor need not wait for it
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}
