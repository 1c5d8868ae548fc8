/** Links between pages, as VS Code's preview of Markdown follows them. */

/**
 * A page with links that start where it stands.
 *
 * The preview opens no link with a scheme of ours, and looks for one that begins with `/` in the workspace. It shows a
 * link to a line of a file as text, with its address: here only the words are kept.
 */
export function withRelativeLinks(markdown: string, path: string): string {
  const up = '../'.repeat(path.replace(/^\/+/, '').split('/').length - 1) || './';
  return markdown.replaceAll('](ptx-lsp:/', `](${up}`).replace(/\[([^\]\n]*)\]\([a-z][\w.+-]*:\S+?#L\d+\)/g, '$1');
}
