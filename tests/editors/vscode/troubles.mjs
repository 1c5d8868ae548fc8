// What goes wrong for users, each in a VS Code of its own: node troubles.mjs OPTIONS (see options.mjs).
// One trouble a file in troubles/; two at a time, for most of their time is waiting.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { options, report } from './options.mjs';
import { startServer } from './server.mjs';
import { startBrowser } from './session.mjs';
import { Workbench } from './workbench.mjs';

const FILE = 'mistakes.ptx';
const AT_ONCE = 2;

const chosen = options();
const first = path.join(chosen.state, 'installed');
const installed = await startServer({ ...chosen, state: first }); // installs the extension for all
await installed.stop();
const { context } = await startBrowser(chosen.state, chosen.chromium);

async function meet(file) {
  const name = file.replace('.mjs', '');
  const trouble = await import(`./troubles/${file}`);
  const state = path.join(chosen.state, name);
  fs.mkdirSync(state);
  const own = { ...chosen, ...trouble.options?.() };
  own.settings = { ...chosen.settings, ...own.settings };
  const server = await startServer({ ...own, state, extensions: path.join(first, 'extensions') });
  const vs = new Workbench(await context.newPage(), server, chosen.pictures);
  vs.file = FILE;
  try {
    await report(name, async () => {
      trouble.prepare?.(server);
      await vs.start(FILE);
      await trouble.run({ vs, server, chosen });
    }, () => vs.picture(`failed-${name}`));
  } finally {
    await vs.page.close();
    await server.stop();
  }
}

const waiting = fs.readdirSync(new URL('troubles', import.meta.url)).sort().reverse();
try {
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    while (waiting.length) await meet(waiting.pop());
  }));
} finally {
  await context.close();
}
