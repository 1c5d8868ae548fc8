/** The connection to one server process. */

import { spawn } from 'node:child_process';
import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  ExecuteCommandRequest,
  LanguageClient,
  type DynamicFeature,
  type LanguageClientOptions,
  type StaticFeature,
  TextDocumentContentRequest,
} from 'vscode-languageclient/node';

import * as configuration from './configuration';
import { middleware } from './middleware';
import { type Command, LastWords } from './server';

/** Client capabilities beside the protocol's. */
const COMMANDS_FOR_SERVER = ['ptx-lsp.showReferences'];

/**
 * What the library would do by itself and we do: pages (see `pages.ts`), and commands. The library makes each of the
 * server's commands one of the editor's, whose names would clash with those in our menus.
 */
const OURS: readonly string[] = [TextDocumentContentRequest.method, ExecuteCommandRequest.method];

/** A client that leaves messages about errors to the extension. */
class Client extends LanguageClient {
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if (!('registrationType' in feature && OURS.includes(feature.registrationType.method))) {
      super.registerFeature(feature);
    }
  }

  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** One client with its process. */
export interface Connection {
  readonly client: LanguageClient;
  readonly lastWords: LastWords;
  /** End the process, whatever it does. */
  kill(): void;
}

/**
 * A client that starts `command`.
 *
 * @param closed called once when the process or the connection ends.
 */
export function connect(
  context: vscode.ExtensionContext,
  command: Command,
  log: vscode.LogOutputChannel,
  closed: () => void,
): Connection {
  const lastWords = new LastWords();
  let kill = (): void => undefined;
  const start = async () => {
    const child = spawn(command.program, command.args, { cwd: context.extensionPath, windowsHide: true });
    kill = () => void child.kill('SIGKILL');
    child.stderr.setEncoding('utf8').on('data', (text: string) => lastWords.add(text));
    child.stdin.on('error', () => undefined); // 'closed' reports a broken pipe
    await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    child.on('error', (error) => lastWords.add(`\n${error.message}\n`));
    return child;
  };
  const options: LanguageClientOptions = {
    documentSelector: ['ptx', ...configuration.languagesWithAssembly()].flatMap((language) => [
      { language, scheme: 'file' },
      { language, scheme: 'untitled' },
    ]),
    outputChannel: log,
    stdioOptions: {
      stdout: () => undefined,
      stderr: (stream, channel) => stream.on('data', (text) => channel.trace(String(text).trimEnd())),
    },
    initializationOptions: {
      commands: COMMANDS_FOR_SERVER,
      ownTokenTypes: true,
      registerForPtx: true,
      pullDiagnostics: configuration.checksWorkspace(),
    },
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        closed();
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
    middleware: middleware(context),
  };
  const client = new Client('ptx-lsp', 'PTX', start, options);
  return { client, lastWords, kill: () => kill() };
}
