/** Links of pages, as VS Code's preview of Markdown follows them. */

/** The extension of an address that stands for a line of a file; pages end with `.md`. */
const LINE = '.line';

/**
 * A page with links that start where it stands.
 *
 * The preview opens no link with a scheme of ours or to a file, and looks for one that begins with `/` in the workspace. A
 * link to a line of a file leads to an address of ours that stands for it; `lines.ts` shows the line instead.
 */
export function withRelativeLinks(markdown: string, path: string): string {
  const up = '../'.repeat(path.replace(/^\/+/, '').split('/').length - 1) || './';
  return markdown
    .replaceAll('](ptx-lsp:/', `](${up}`)
    .replace(/\]\((?!https?:)([a-z][\w.+-]*:\S+?)#L(\d+)\)/g, (_, file: string, line: string) => `](${up}line/${escaped(file)}/${line}${LINE})`);
}

/** A line of a file. */
export interface Line {
  /** The address of the file. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** The line that an address of ours stands for, by its path; undefined if it is a page. */
export function lineAt(path: string): Line | undefined {
  const found = /^\/line\/(.+)\/(\d+)\.line$/.exec(path);
  if (!found) {
    return undefined;
  }
  const once = decodeURIComponent(found[1]!);
  return { file: once.includes(':') ? once : decodeURIComponent(once), line: Number(found[2]) };
}

/** Escaped twice: the preview removes the escapes of a path once, and has no empty folders in it, as in `file:///`. */
function escaped(file: string): string {
  return encodeURIComponent(encodeURIComponent(file.replace(/[()]/g, (one) => (one === '(' ? '%28' : '%29'))));
}
