/** The items of the language status: the server, and the module's target and version. */

import * as vscode from 'vscode';

import { SECTION } from './configuration';
import type { Session, State } from './session';

/** The answer of the server's command `ptx-lsp.status`, as far as it is used. */
export interface Status {
  readonly server: { readonly version: string };
  readonly document: {
    readonly isReady: boolean;
    readonly isComplete?: boolean;
    readonly ptxVersion?: string;
    readonly target?: string;
    readonly isTargetAssumed?: boolean;
    readonly lines?: number;
    readonly findings?: { readonly error: number; readonly warning: number };
  } | null;
  readonly settings: { readonly target: string | null; readonly 'ptx-version': string | null };
}

const SELECTOR: vscode.DocumentSelector = { language: 'ptx' };
/** Milliseconds that the server has to fetch settings that were changed, which it does by itself. */
const FETCHED = 500;
/** Milliseconds after which a document that is still being read is asked about again. */
const AGAIN = 500;

export function showStatus(session: Session): vscode.Disposable {
  const server = vscode.languages.createLanguageStatusItem('ptx-lsp.server', SELECTOR);
  server.name = 'PTX Language Server';
  const module = vscode.languages.createLanguageStatusItem('ptx-lsp.module', SELECTOR);
  module.name = 'PTX Target and Version';
  let timer: NodeJS.Timeout | undefined;
  let asked = 0;

  const ask = async (): Promise<void> => {
    clearTimeout(timer);
    const round = ++asked;
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== 'ptx' || !session.client) {
      showModule(module, isTooLarge() ? 'large' : session.client ? 'none' : 'off');
      return;
    }
    const status = await session.execute<Status>('ptx-lsp.status', document.uri.toString()).catch(() => undefined);
    if (round !== asked || !status) {
      return;
    }
    showModule(module, status);
    if (status.document && !(status.document.isReady && status.document.isComplete)) {
      timer = setTimeout(() => void ask(), AGAIN);
    }
  };
  const soon = (milliseconds = 100): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), milliseconds);
  };
  const show = (state: State): void => {
    showServer(server, session, state);
    soon();
  };
  show(session.state);
  return vscode.Disposable.from(
    server,
    module,
    session.onDidChangeState(show),
    vscode.window.onDidChangeActiveTextEditor(() => soon()),
    vscode.window.tabGroups.onDidChangeTabs(() => soon()),
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration(SECTION) && soon(FETCHED)),
    vscode.languages.onDidChangeDiagnostics((change) => {
      const uri = vscode.window.activeTextEditor?.document.uri.toString();
      if (change.uris.some((one) => one.toString() === uri)) {
        soon();
      }
    }),
    { dispose: () => clearTimeout(timer) },
  );
}

function showServer(item: vscode.LanguageStatusItem, session: Session, state: State): void {
  item.busy = state.kind === 'starting';
  item.severity = vscode.LanguageStatusSeverity.Information;
  item.command = { command: 'ptx-lsp.showOutput', title: 'Output' };
  switch (state.kind) {
    case 'starting':
      item.text = 'PTX server is starting';
      item.detail = session.description;
      break;
    case 'running':
      item.text = 'PTX server is running';
      item.detail = session.description;
      break;
    case 'waiting':
      item.text = 'PTX server exited';
      item.detail = `restarts in ${state.seconds} s`;
      item.severity = vscode.LanguageStatusSeverity.Warning;
      break;
    case 'failed':
      item.text = 'No PTX server';
      item.detail = state.short;
      item.severity = vscode.LanguageStatusSeverity.Error;
      item.command = state.setting
        ? { command: 'ptx-lsp.openSettings', title: 'Setting', arguments: [`ptx-lsp.${state.setting}`] }
        : { command: 'ptx-lsp.restart', title: 'Restart' };
      break;
    default:
      item.text = 'PTX server is stopped';
      item.detail = '';
      item.command = { command: 'ptx-lsp.restart', title: 'Start' };
  }
}

function showModule(item: vscode.LanguageStatusItem, status: Status | 'off' | 'none' | 'large'): void {
  item.busy = false;
  item.command = undefined;
  item.detail = '';
  if (status === 'large') {
    item.text = 'Too large for the PTX server';
    item.detail = 'VS Code does not pass files of more than 50 MB to extensions; use `ptx-lsp check`.';
    return;
  }
  if (typeof status === 'string' || !status.document) {
    item.text = status === 'off' ? 'Target unknown' : 'No PTX module';
    return;
  }
  const { document, settings } = status;
  if (!document.isReady) {
    item.text = 'Reading…';
    item.busy = true;
    return;
  }
  item.text = `${document.target}, PTX ${document.ptxVersion}`;
  item.busy = document.isComplete === false;
  const from = settings.target ? 'by the setting' : document.isTargetAssumed ? 'assumed, the file does not say it' : '';
  const { error = 0, warning = 0 } = document.findings ?? {};
  item.detail = [from, `${(document.lines ?? 0).toLocaleString('en')} lines`, count(error, 'error'), count(warning, 'warning')].filter(Boolean).join(', ');
  item.command = settings.target
    ? { command: 'ptx-lsp.chooseTarget', title: 'Change' }
    : { command: 'ptx-lsp.chooseFileTarget', title: 'Change' };
}

function count(number: number, word: string): string {
  return number ? `${number} ${word}${number === 1 ? '' : 's'}` : '';
}

/** Whether the tab in front is a PTX file that extensions do not see. */
function isTooLarge(): boolean {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputText && input.uri.path.endsWith('.ptx') && !vscode.window.activeTextEditor;
}
