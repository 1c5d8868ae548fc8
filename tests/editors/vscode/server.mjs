// Starts code-server, VS Code as a web page, with a profile, extensions, a port and a copy of a workspace of its own.
import { spawn, execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ENTRY = fileURLToPath(new URL('node_modules/code-server/out/node/entry.js', import.meta.url));

// No gallery: nothing outside this machine is asked for.
const NOWHERE = 'http://127.0.0.1:9/none';
const GALLERY = { serviceUrl: NOWHERE, itemUrl: NOWHERE, resourceUrlTemplate: NOWHERE };

// What would otherwise move, blink, ask or reach out while a test looks.
const QUIET = {
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.settings.enableNaturalLanguageSearch': false,
  'workbench.tips.enabled': false,
  'workbench.reduceMotion': 'on',
  'workbench.activityBar.location': 'hidden',
  'workbench.layoutControl.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'update.mode': 'none',
  'git.enabled': false,
  'remote.autoForwardPorts': false,
  'files.autoSave': 'off',
  'chat.commandCenter.enabled': false,
  'window.commandCenter': false,
  'editor.minimap.enabled': false,
  'editor.hover.delay': 100,
  'editor.cursorBlinking': 'solid',
};

/**
 * A running code-server.
 *
 * @param {object} options
 * @param {string} options.state     an empty folder for all that this server writes
 * @param {string[]} options.file    files whose copies make the workspace, so that tests may write
 * @param {string} options.vsix      the extension to install
 * @param {string[]} [options.with] further extensions to install
 * @param {string} options.path      PATH of the server, and so of the extension: where it looks for Python
 * @param {object} [options.settings] settings of the user
 * @param {boolean} [options.trust]  whether folders can be untrusted, and this one is; usually all are trusted
 * @param {object} [options.ofWorkspace] settings that the workspace brings along
 * @param {string} [options.extensions] a folder in which the extension is installed already
 */
export async function startServer({ state, file: files, vsix, with: others = [], path: searched, settings = {}, trust = false,
  ofWorkspace, extensions }) {
  const copy = path.join(state, 'workspace');
  fs.mkdirSync(copy, { recursive: true });
  for (const file of files) fs.copyFileSync(file, path.join(copy, path.basename(file)));
  const profile = path.join(state, 'user', 'User');
  fs.mkdirSync(profile, { recursive: true });
  fs.writeFileSync(
    path.join(profile, 'settings.json'),
    JSON.stringify({ ...QUIET, 'security.workspace.trust.startupPrompt': 'never', ...settings }),
  );
  if (ofWorkspace) {
    fs.mkdirSync(path.join(copy, '.vscode'));
    fs.writeFileSync(path.join(copy, '.vscode', 'settings.json'), JSON.stringify(ofWorkspace));
  }
  const own = ['--config', path.join(state, 'config.yaml'), '--user-data-dir', path.join(state, 'user'),
    '--extensions-dir', extensions ?? path.join(state, 'extensions')];
  // VS Code takes the environment of the user's login shell, whose profile would say another PATH.
  const shell = path.join(state, 'shell');
  fs.writeFileSync(shell, '#!/bin/sh\nfor command; do :; done\nexec /bin/sh -c "$command"\n', { mode: 0o755 });
  const environment = {
    HOME: state, SHELL: shell, PATH: searched, LANG: 'C.UTF-8', EXTENSIONS_GALLERY: JSON.stringify(GALLERY),
  };
  if (!extensions) {
    const installed = [vsix, ...others].flatMap((one) => ['--install-extension', one]);
    await promisify(execFile)(process.execPath, [ENTRY, ...own, ...installed], { env: environment });
  }

  const child = spawn(
    process.execPath,
    [ENTRY, ...own, '--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-telemetry', '--disable-update-check',
      '--disable-getting-started-override', ...(trust ? [] : ['--disable-workspace-trust'])],
    { env: environment, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const log = fs.createWriteStream(path.join(state, 'code-server.log'));
  child.stderr.pipe(log, { end: false });
  const url = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`code-server ended with ${code}; see ${log.path}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      log.write(`${line}\n`);
      const said = /listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(line);
      if (said) resolve(said[1]);
    });
  });
  return {
    url,
    pid: child.pid,
    workspace: copy,
    state,
    // The whole group: extension hosts and language servers go with it.
    stop: () => new Promise((resolve) => {
      child.once('exit', resolve);
      if (child.exitCode !== null) resolve();
      else process.kill(-child.pid, 'SIGKILL');
    }),
  };
}
