// Makes the one package for all machines: ptx-lsp-VERSION.vsix.
import { createVSIX } from '@vscode/vsce';
import * as fs from 'node:fs';

process.env.SOURCE_DATE_EPOCH ??= '946684800'; // one time for all files, in a fixed order: the same files give the same package
const { name, version } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
for (const cache of fs.globSync?.('bundled/**/__pycache__') ?? caches('bundled')) {
  fs.rmSync(cache, { recursive: true }); // of a server that was started from here
}
await createVSIX({ packagePath: `${name}-${version}.vsix`, dependencies: false, allowMissingRepository: true, rewriteRelativeLinks: false });

function caches(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name === '__pycache__')
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`);
}
