// Starts the servers of other languages, clangd and pyright, beside which the extension is tested.
import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

export async function activate(context) {
  const commands = vscode.workspace.getConfiguration('hostServers').get('commands');
  await Promise.all(Object.entries(commands).map(async ([language, [command, ...args]]) => {
    const client = new LanguageClient(language, `server of ${language}`, { command, args }, { documentSelector: [{ language }] });
    context.subscriptions.push(client);
    await client.start();
  }));
}
