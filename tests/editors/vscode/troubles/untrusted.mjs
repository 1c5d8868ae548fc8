// A workspace that nobody trusts names programs, and none of them is run; the server of the extension works.
import * as fs from 'node:fs';
import * as path from 'node:path';

const TRACE = 'it-was-run';

export const options = () => ({
  trust: true,
  ofWorkspace: { 'ptx-lsp.interpreter': '${workspaceFolder}/evil.sh', 'ptx-lsp.path': '${workspaceFolder}/evil.sh' },
});

/** Before the window opens. */
export function prepare(server) {
  const program = path.join(server.workspace, 'evil.sh');
  fs.writeFileSync(program, `#!/bin/sh\ntouch "${path.join(server.workspace, TRACE)}"\n`, { mode: 0o755 });
}

export async function run({ vs, server }) {
  await vs.status('Restricted Mode').waitFor();
  await vs.page.locator('.squiggly-error').first().waitFor();
  if (fs.existsSync(path.join(server.workspace, TRACE))) throw new Error('a program of the workspace was run');
}
