/** Messages about a missing server, with buttons. */

import * as vscode from 'vscode';

import { SECTION } from './configuration';
import type { Session, State } from './session';

/** Show each failure once, as one message. */
export function tellFailures(session: Session): vscode.Disposable {
  return session.onDidChangeState((state) => {
    if (state.kind === 'failed') {
      void tell(session, state);
    }
  });
}

async function tell(session: Session, state: State & { kind: 'failed' }): Promise<void> {
  if (state.setting) {
    await offerSetting(state.why, state.setting, vscode.window.showErrorMessage);
    return;
  }
  const [restart, show] = ['Restart', 'Show Output'];
  const answer = await vscode.window.showErrorMessage(state.why, restart, show);
  if (answer === restart) {
    await session.restart();
  } else if (answer === show) {
    session.log.show();
  }
}

export async function openSettings(query = `@ext:${SECTION}.${SECTION}`): Promise<void> {
  if (vscode.env.remoteName !== undefined) {
    // A path is a setting of the remote machine, and the page of the user's own settings does not show it.
    await vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query });
  } else {
    await vscode.commands.executeCommand('workbench.action.openSettings', query);
  }
}

/** Say what is wrong with a setting, with a button that opens it. */
export async function offerSetting(
  message: string,
  setting: 'interpreter' | 'path',
  show: (message: string, ...buttons: string[]) => Thenable<string | undefined>,
): Promise<void> {
  const open = 'Open Setting';
  if ((await show(message, open)) === open) {
    await openSettings(`${SECTION}.${setting}`);
  }
}
