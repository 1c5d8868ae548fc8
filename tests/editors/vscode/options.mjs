// The options of the programs here, and how they report.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseArgs } from 'node:util';

/** What the command line says, with folders made. */
export function options() {
  const text = { type: 'string' };
  const { values } = parseArgs({
    options: {
      state: text,      // an empty folder for profiles, logs and the copy of the workspace
      vsix: text,       // the extension
      with: { type: 'string', multiple: true, default: [] }, // a further extension; repeated
      steps: text,      // the folder of the steps
      settings: text,   // further settings of the user, as JSON
      text: text,       // a file with the output of a program, for a picture of a terminal
      path: text,       // PATH for the extension
      chromium: text,
      pictures: text,   // a folder for pictures
      theme: text,      // a colour theme of VS Code
      scale: text,      // pixels of a picture per pixel of the page
      file: { type: 'string', multiple: true, default: [] }, // a file of the workspace; repeated
    },
  });
  values.pictures ??= path.join(values.state, 'pictures');
  fs.mkdirSync(values.state, { recursive: true });
  fs.mkdirSync(values.pictures, { recursive: true });
  const settings = { 'workbench.colorTheme': values.theme ?? 'Default Dark Modern', ...JSON.parse(values.settings ?? '{}') };
  return { ...values, scale: Number(values.scale ?? 1), settings };
}

/** Does something, and prints a line of JSON: what, how many seconds, and what went wrong. */
export async function report(name, deed, onFailure = () => {}) {
  const start = performance.now();
  const seconds = () => Math.round(performance.now() - start) / 1000;
  try {
    const said = await deed();
    console.log(JSON.stringify({ name, seconds: seconds(), ...(said && { said }) }));
  } catch (error) {
    process.exitCode = 1;
    await Promise.resolve(onFailure()).catch(() => {});
    console.log(JSON.stringify({ name, seconds: seconds(), failed: String(error.stack ?? error) }));
  }
}
