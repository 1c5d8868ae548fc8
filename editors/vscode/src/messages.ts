/** What the user is told when there is no server, with a button for what to do. */

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
    const open = 'Open Setting';
    if ((await vscode.window.showErrorMessage(state.why, open)) === open) {
      await openSettings(`${SECTION}.${state.setting}`);
    }
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
  await vscode.commands.executeCommand('workbench.action.openSettings', query);
}
