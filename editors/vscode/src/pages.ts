/** Pages of instructions, codes and values: shown as Markdown beside the code. */

import * as vscode from 'vscode';

import { lineAt, withRelativeLinks } from './links';
import type { Session } from './session';

/** What the server's commands that make pages answer: `explain`, `decode`, `decodeAt`, `originAt` … */
export interface Page {
  readonly markdown: string;
  /** The page's own address, if it has one. */
  readonly uri: string | null;
}

export const INDEX = 'ptx-lsp:/index.md';
export const SCHEME = 'ptx-lsp';

/**
 * The pages as read-only files.
 *
 * A content provider, which the protocol's own request would make, is not enough: VS Code's preview of Markdown opens
 * a link only if it finds a file there.
 */
export class Pages implements vscode.FileSystemProvider {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  private readonly started = Date.now();

  constructor(private readonly session: Session) {}

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { length } = await this.readFile(uri);
    const permissions = vscode.FilePermission.Readonly;
    return { type: vscode.FileType.File, ctime: this.started, mtime: this.started, size: length, permissions };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    if (lineAt(uri.path)) {
      return new Uint8Array(); // the line is shown instead: see `lines.ts`
    }
    const text = await this.session.page(uri.toString());
    if (text === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return new TextEncoder().encode(withRelativeLinks(text, uri.path));
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  writeFile(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions();
  }
}

export function registerPages(session: Session): vscode.Disposable {
  return vscode.workspace.registerFileSystemProvider(SCHEME, new Pages(session), { isReadonly: true });
}

/** Show the page at an address as it reads, beside the code. */
export async function showPage(address: string): Promise<void> {
  const uri = vscode.Uri.parse(address);
  try {
    await vscode.commands.executeCommand('markdown.showPreviewToSide', uri);
  } catch {
    await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside, preview: true }); // no Markdown extension
  }
}

/** The page of the first topic that has one; what the last is refused with, if none has. */
export async function findPage(session: Session, topics: readonly string[]): Promise<string> {
  let refused: unknown = new Error('There is no instruction at the cursor.');
  for (const topic of topics) {
    try {
      const { uri } = await session.execute<Page>('ptx-lsp.explain', topic);
      if (uri) {
        return uri;
      }
    } catch (error) {
      refused = error;
    }
  }
  throw refused;
}
