/** The server's life: started, watched, started again, given up. */

import * as vscode from 'vscode';
import { ExecuteCommandRequest, type LanguageClient } from 'vscode-languageclient/node';

import { connect, type Connection } from './client';
import { CannotStart, whatToStart } from './launch';
import { RestartPolicy } from './restart';

/** Seconds that a server has to answer its first question; a slow disk takes some of them. */
const PATIENCE = 60;

/** Seconds that a server has to end by itself. */
const FAREWELL = 3;

export type State =
  | { readonly kind: 'starting' | 'running' | 'stopped' }
  | { readonly kind: 'waiting'; readonly seconds: number }
  | {
      readonly kind: 'failed';
      /** One sentence. */
      readonly why: string;
      /** A few words. */
      readonly short: string;
      /** The setting that fixes it. */
      readonly setting?: 'interpreter' | 'path';
    };

/** One server for one window. */
export class Session implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<State>();
  /** Fires when the server's state changes. */
  readonly onDidChangeState = this.changed.event;
  /** What runs, for the status item. */
  description = '';
  private current: State = { kind: 'stopped' };
  private connection: Connection | undefined;
  private readonly policy = new RestartPolicy();
  private round = 0;
  private timer: NodeJS.Timeout | undefined;
  private hasBegun = false;

  constructor(
    private readonly context: vscode.ExtensionContext,
    readonly log: vscode.LogOutputChannel,
  ) {}

  get state(): State {
    return this.current;
  }

  /** The client, if the server runs. */
  get client(): LanguageClient | undefined {
    return this.current.kind === 'running' ? this.connection?.client : undefined;
  }

  /** Start the server if that was never done. */
  begin(): void {
    if (!this.hasBegun) {
      this.set({ kind: 'starting' });
      void this.start();
    }
  }

  /** Start a new server at the user's request, with a new restart limit. */
  async restart(): Promise<void> {
    this.policy.forget();
    await this.start();
  }

  /** Wait until the server runs. A command may be what wakes the extension up. */
  async ready(): Promise<void> {
    this.begin();
    if (this.current.kind === 'starting') {
      await new Promise<void>((resolve) => {
        const listening = this.onDidChangeState(() => {
          listening.dispose();
          resolve();
        });
      });
    }
    if (!this.client) {
      throw new Error('The PTX server is not running.');
    }
  }

  /** The text of a page, by its address; undefined if there is none. */
  async page(uri: string): Promise<string | undefined> {
    await this.ready();
    const answer = this.client?.sendRequest<{ text: string }>('workspace/textDocumentContent', { uri });
    return answer?.then(({ text }) => text, () => undefined);
  }

  /** Ask the server to carry out one of its commands. */
  async execute<Answer>(command: string, ...args: unknown[]): Promise<Answer> {
    if (!this.client) {
      throw new Error('The PTX server is not running.');
    }
    return this.client.sendRequest(ExecuteCommandRequest.type, { command, arguments: args }) as Promise<Answer>;
  }

  async start(): Promise<void> {
    this.hasBegun = true;
    const round = await this.end();
    this.set({ kind: 'starting' });
    let connection: Connection | undefined;
    try {
      const command = await whatToStart(this.context, this.log);
      if (round !== this.round) {
        return;
      }
      this.description = command.description;
      this.log.info(`starting ${[command.program, ...command.args].join(' ')}`);
      connection = connect(this.context, command, this.log, () => this.died(round));
      this.connection = connection;
      await within(PATIENCE, connection.client.start());
      // The answer to 'initialize' comes before the server has loaded itself; this one comes after.
      await within(PATIENCE, connection.client.sendRequest(ExecuteCommandRequest.type, { command: 'ptx-lsp.status' }));
      if (round === this.round) {
        this.set({ kind: 'running' });
      }
    } catch (error) {
      if (round !== this.round) {
        return;
      }
      if (error instanceof CannotStart) {
        this.fail({ why: error.message, short: error.setting === 'path' ? 'no such program' : 'no Python', setting: error.setting });
      } else {
        connection?.lastWords.line || connection?.lastWords.add(error instanceof Error ? error.message : String(error));
        await this.died(round);
      }
    }
  }

  /** End the server, if there is one; nothing of it is heard any more. */
  private async end(): Promise<number> {
    const round = ++this.round;
    clearTimeout(this.timer);
    const connection = this.connection;
    this.connection = undefined;
    if (connection) {
      const stopped = connection.client.needsStop() ? connection.client.stop() : connection.client.dispose();
      await within(FAREWELL, stopped).catch(() => undefined);
      connection.kill();
    }
    return round;
  }

  async stop(): Promise<void> {
    await this.end();
    this.set({ kind: 'stopped' });
  }

  private async died(round: number): Promise<void> {
    const connection = this.connection;
    if (round !== this.round || !connection) {
      return;
    }
    const atStart = this.current.kind === 'starting';
    await new Promise((resolve) => setTimeout(resolve, 100)); // its last words may still be on their way
    if (round !== this.round) {
      return;
    }
    await this.end();
    const words = connection.lastWords;
    this.log.error(`the server ended\n${words.all}`.trimEnd());
    const verdict = this.policy.died(atStart, words.line);
    if (!verdict.restart) {
      this.fail(verdict);
      return;
    }
    this.set({ kind: 'waiting', seconds: verdict.seconds });
    this.timer = setTimeout(() => void this.start(), verdict.seconds * 1000);
  }

  private fail(how: { why: string; short: string; setting?: 'interpreter' | 'path' }): void {
    this.log.error(how.why);
    this.set({ kind: 'failed', ...how });
  }

  private set(state: State): void {
    this.current = state;
    this.changed.fire(state);
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** The same promise, refused after so many seconds. */
function within<Value>(seconds: number, promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not answer within ${seconds} seconds`)), seconds * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
