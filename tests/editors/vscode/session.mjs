// Opens a window of VS Code: a page of Chromium on a running code-server.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { chromium } from 'playwright-core';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--font-render-hinting=none'];

/**
 * A browser with one empty page that reaches this machine only.
 *
 * @param {string} state      a folder for the browser's profile
 * @param {string} executable the Chromium to run
 * @param {number} scale      pixels of a picture per pixel of the page
 */
export async function startBrowser(state, executable, scale = 1) {
  const profile = fs.mkdtempSync(path.join(state, 'chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: executable, headless: true, viewport: { width: 1280, height: 600 },
    deviceScaleFactor: scale, args: FLAGS,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const outside = new Set(); // hosts that the page asked for
  await context.route((url) => url.protocol.startsWith('http') && url.hostname !== '127.0.0.1', (route) => {
    outside.add(new URL(route.request().url()).hostname);
    return route.abort();
  });
  return { context, page: context.pages()[0] ?? await context.newPage(), outside };
}

/** The address of a window that shows a folder of the server's machine; ``payload`` is a list of [name, value]. */
export function windowAddress(server, payload) {
  const folder = encodeURIComponent(server.workspace);
  return `${server.url}/?folder=${folder}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
}

/** The address of a file as the window knows it. */
export function remote(server, file) {
  return `vscode-remote://${new URL(server.url).host}${path.resolve(server.workspace, file)}`;
}

/** Shows a file in a new window and waits until it can be typed into. */
export async function openWindow(page, server, file) {
  await page.goto(windowAddress(server, [['openFile', remote(server, file)]]));
  await page.locator('.monaco-editor .view-lines .view-line').first().waitFor({ timeout: 120_000 });
}
