// Shows what a program wrote in a terminal, and keeps a picture of it: node terminal.mjs OPTIONS TEXT (see options.mjs).
// The terminal is the one of VS Code; TEXT is a file with all that was written, control sequences included.
import * as fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startBrowser } from './session.mjs';
import { options } from './options.mjs';

const XTERM = fileURLToPath(new URL('node_modules/code-server/lib/vscode/node_modules/@xterm/xterm/', import.meta.url));
const COLUMNS = 118;

const chosen = options();
const text = fs.readFileSync(chosen.text, 'utf8');
const rows = text.trimEnd().split('\n').length;
const browser = await startBrowser(chosen.state, chosen.chromium, chosen.scale);
try {
  const { page } = browser;
  await page.setContent('<body style="margin: 0; background: #1f1f1f"><div id="terminal" style="display: inline-block; padding: 12px"></div>');
  await page.addStyleTag({ path: `${XTERM}css/xterm.css` });
  await page.addScriptTag({ path: `${XTERM}lib/xterm.js` });
  await page.evaluate(([written, columns, lines]) => new Promise((resolve) => {
    const theme = { background: '#1f1f1f', foreground: '#cccccc', red: '#f14c4c', yellow: '#e5e510', green: '#23d18b', blue: '#3b8eea', cyan: '#29b8db', magenta: '#d670d6' };
    const terminal = new window.Terminal({ cols: columns, rows: lines, fontFamily: 'monospace', fontSize: 14, theme, cursorInactiveStyle: 'none' });
    terminal.open(document.getElementById('terminal'));
    terminal.write(written.replaceAll('\n', '\r\n'), () => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }), [text.trimEnd(), COLUMNS, rows]);
  await page.locator('#terminal').screenshot({ path: `${chosen.pictures}/check.png` });
} finally {
  await browser.context.close();
}
