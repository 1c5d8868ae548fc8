// Uses the extension in a window of VS Code as a user does: node browser.mjs OPTIONS (see options.mjs).
// One step a file in steps/, or the folder that --steps names, in the order of their numbers. Prints a line of JSON for each; ends with 1 if one failed.
import * as fs from 'node:fs';
import { Workbench } from './workbench.mjs';
import { startBrowser } from './session.mjs';
import { startServer } from './server.mjs';
import { options, report } from './options.mjs';

const chosen = options();
const folder = `./${chosen.steps ?? 'steps'}`;
const steps = fs.readdirSync(new URL(folder, import.meta.url)).sort();
const server = await startServer(chosen);
const browser = await startBrowser(chosen.state, chosen.chromium, chosen.scale);
const vs = new Workbench(browser.page, server, chosen.pictures);
let opened;
try {
  for (const file of steps) {
    const name = file.replace('.mjs', '');
    const step = await import(`${folder}/${file}`);
    await report(name, async () => {
      if (!opened) await vs.start(step.file);
      else if (opened !== step.file) await vs.open(step.file);
      opened = step.file;
      await step.run(vs);
    }, () => vs.picture(`failed-${name}`));
  }
  await report('nothing outside is asked for', () => {
    if (browser.outside.size) throw new Error(`asked for: ${[...browser.outside].join(', ')}`);
  });
} finally {
  await browser.context.close();
  await server.stop();
}
