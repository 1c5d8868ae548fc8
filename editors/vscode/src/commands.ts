/** The commands of the palette and the menus. */

import * as vscode from 'vscode';
import type { Location, Position } from 'vscode-languageclient/node';

import { openSettings } from './messages';
import type { Session } from './session';

export function registerCommands(session: Session): vscode.Disposable[] {
  const register = (name: string, action: (...args: never[]) => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(`ptx-lsp.${name}`, (...args: never[]) => told(action(...args)));
  return [
    register('restart', () => session.restart()),
    register('showOutput', () => session.log.show()),
    register('openSettings', (query?: string) => openSettings(query)),
    register('showReferences', (uri: string, place: Position, locations: Location[]) =>
      showReferences(session, uri, place, locations),
    ),
  ];
}

/** What a command refuses is a message, not a line in a log. */
async function told(outcome: unknown): Promise<unknown> {
  try {
    return await outcome;
  } catch (error) {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** The command behind lenses that count something. */
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
