// Makes the extension with servers of other languages: node package.mjs TARGET.vsix. Its tools are those of our extension.
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';

const [target] = process.argv.slice(2);
const here = fileURLToPath(new URL('.', import.meta.url));
const extension = path.resolve(here, '../../../../editors/vscode');
const require = createRequire(path.join(extension, 'package.json'));
const { build } = require('esbuild');
const { createVSIX } = require('@vscode/vsce');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'host-servers-'));
try {
  fs.copyFileSync(path.join(here, 'package.json'), path.join(folder, 'package.json'));
  await build({
    entryPoints: [path.join(here, 'extension.js')],
    outfile: path.join(folder, 'extension.js'),
    nodePaths: [path.join(extension, 'node_modules')],
    bundle: true, platform: 'node', target: 'node20', format: 'cjs', external: ['vscode'], logLevel: 'warning',
  });
  await createVSIX({ cwd: folder, packagePath: path.resolve(target), dependencies: false, allowMissingRepository: true, skipLicense: true });
} finally {
  fs.rmSync(folder, { recursive: true });
}
