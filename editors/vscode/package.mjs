// Makes the one package for all machines: ptx-lsp-VERSION.vsix. With --no-secret-scan without vsce's search for secrets,
// which takes most of the time: for tests, whose package is not published.
import { createVSIX } from '@vscode/vsce';
import * as fs from 'node:fs';

process.env.SOURCE_DATE_EPOCH ??= '946684800'; // one time for all files, in a fixed order: the same files give the same package
const { name, version } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
for (const cache of fs.globSync?.('bundled/**/__pycache__') ?? caches('bundled')) {
  fs.rmSync(cache, { recursive: true }); // of a server that was started from here
}
await createVSIX({ packagePath: `${name}-${version}.vsix`, dependencies: false, allowMissingRepository: true, rewriteRelativeLinks: false,
  allowPackageAllSecrets: process.argv.includes('--no-secret-scan') });

function caches(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name === '__pycache__')
    .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`);
}
