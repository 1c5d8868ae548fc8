// Bundles the extension into dist/extension.js; with --test the unit tests into dist/test/.
import { build } from 'esbuild';
import * as fs from 'node:fs';
import * as path from 'node:path';

const common = { bundle: true, platform: 'node', target: 'node20', logLevel: 'warning', legalComments: 'none' };

if (process.argv.includes('--test')) {
  fs.rmSync('dist/test', { recursive: true, force: true });
  const tests = fs.readdirSync('test/unit').filter((name) => name.endsWith('.test.ts')).sort();
  await build({
    ...common,
    entryPoints: tests.map((name) => path.join('test/unit', name)),
    outdir: 'dist/test',
    outExtension: { '.js': '.mjs' },
    format: 'esm',
  });
} else {
  await build({
    ...common,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    external: ['vscode'],
    format: 'cjs',
    minify: true,
    metafile: true,
  }).then(({ metafile }) => writeLicences(metafile));
}

/** The licences of the npm packages whose code is in the bundle. */
function writeLicences(metafile) {
  const packages = new Set();
  for (const file of Object.keys(metafile.inputs)) {
    const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file);
    if (found) packages.add(found[1]);
  }
  const parts = [...packages].sort().map((name) => {
    const folder = path.join('node_modules', name);
    const { version, license } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const file = fs.readdirSync(folder).find((one) => /^licen[cs]e(\.|$)/i.test(one));
    if (!file) throw new Error(`${name} has no licence file`);
    return `${name} ${version} (${license})\n\n${fs.readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
  });
  fs.writeFileSync('dist/licences.txt', parts.join(`\n${'-'.repeat(72)}\n\n`));
}
