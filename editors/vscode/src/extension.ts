/** Where VS Code begins and ends. */

import * as vscode from 'vscode';

import { registerCommands } from './commands';
import { languagesWithAssembly, SECTION } from './configuration';
import { registerLines } from './lines';
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
    registerLines(),
    ...registerCommands(here),
    ...registerSources(here),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void here.restart()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (OWN_SETTINGS.some((name) => name !== 'trace.server' && change.affectsConfiguration(`${SECTION}.${name}`))) {
        void here.restart();
      }
    }),
  );
  context.subscriptions.push(beginWhenNeeded(here));
}

/**
 * Starts the server for the first document that it serves, or if the workspace has PTX. Documents of C++ and Python activate
 * the extension too, and need no server unless the settings say so. The editor need not wait for it.
 */
function beginWhenNeeded(here: Session): vscode.Disposable {
  const look = ({ languageId }: vscode.TextDocument): void => {
    if (languageId === 'ptx' || languagesWithAssembly().includes(languageId)) {
      here.begin();
    }
  };
  vscode.workspace.textDocuments.forEach(look);
  void vscode.workspace.findFiles('{*.ptx,*/*.ptx,ptx-lsp.toml}', undefined, 1).then((found) => {
    if (found.length) {
      here.begin();
    }
  });
  return vscode.workspace.onDidOpenTextDocument(look);
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}
