// Runs the tests of api/ in VS Code's own extension host: node api.mjs OPTIONS (see options.mjs).
// Prints a line of JSON for each; ends with 1 if one failed.
import * as fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { options } from './options.mjs';
import { startServer } from './server.mjs';
import { startBrowser, windowAddress } from './session.mjs';

const TESTS = fileURLToPath(new URL('api', import.meta.url));
const PATIENCE = 120_000;

const chosen = options();
const server = await startServer(chosen);
const { context, page } = await startBrowser(chosen.state, chosen.chromium);
try {
  const done = new Promise((resolve) => page.exposeFunction('codeAutomationExit', resolve));
  const log = fs.createWriteStream(`${chosen.state}/window.log`);
  await page.exposeFunction('codeAutomationLog', (type, args) => {
    const text = args.map(String).join(' ');
    if (text.startsWith('result ')) console.log(text.slice('result '.length));
    else log.write(`${type}: ${text}\n`);
  });
  const host = new URL(server.url).host;
  await page.goto(windowAddress(server, [
    ['extensionDevelopmentPath', `vscode-remote://${host}${TESTS}`],
    ['extensionTestsPath', `vscode-remote://${host}${TESTS}/index.js`],
  ]));
  let timer;
  const late = new Promise((resolve) => { timer = setTimeout(resolve, PATIENCE, 'late'); });
  const code = await Promise.race([done, late]);
  clearTimeout(timer);
  if (code === 'late') {
    await page.screenshot({ path: `${chosen.pictures}/failed-api.png` });
    console.log(JSON.stringify({ name: 'the end', failed: `the tests did not end within ${PATIENCE / 1000} s` }));
  }
  process.exitCode = code === 0 ? 0 : 1;
} finally {
  await context.close();
  await server.stop();
}
