// What a user does in a window of VS Code, by keyboard and mouse, and what is to be seen then. Nothing here sleeps: each
// deed waits for its effect.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { openWindow } from './session.mjs';

const PATIENCE = 90_000; // milliseconds; a loaded machine of two cores is slow now and then
const TAB = 4; // columns, as VS Code counts them unless told otherwise

export class Workbench {
  /**
   * @param {import('playwright-core').Page} page
   * @param {object} server what `startServer` answered
   * @param {string} pictures the folder for pictures
   */
  constructor(page, server, pictures) {
    this.page = page;
    this.server = server;
    this.pictures = pictures;
    page.setDefaultTimeout(PATIENCE);
  }

  // ---- files

  /** Opens the first file of a window. */
  async start(file) {
    await openWindow(this.page, this.server, file);
    await this.#shown(file);
    await this.page.keyboard.press('Control+b'); // without the side bar there is more room
    await this.page.locator('.part.sidebar').waitFor({ state: 'hidden' });
  }

  /** Opens a further file, as one does: Ctrl+P and its name. */
  async open(file) {
    await this.#quick('Control+p', file, file);
    await this.#shown(file);
  }

  async #shown(file) {
    await this.page.locator(`.tab.active[data-resource-name="${file}"]`).waitFor();
    await this.page.locator('.editor-instance .view-lines .view-line').first().waitFor();
  }

  /** The text of a file on disk. */
  text(file) {
    return fs.readFileSync(path.join(this.server.workspace, file), 'utf8');
  }

  /** Saves what changes, and answers the text once it is what is wanted. */
  async saved(file, wanted) {
    return this.until(`${file} is saved as wanted`, async () => {
      const text = this.text(file);
      if (wanted(text)) return text;
      if (await this.page.locator('.tab.active.dirty').count()) await this.page.keyboard.press('Control+s');
      return false;
    });
  }

  /** Takes back all that was done to the open file. */
  async revert() {
    await this.command('File: Revert File');
    await this.page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
  }

  // ---- places

  /**
   * Puts the cursor before some words of the file on disk.
   *
   * @param {string} file
   * @param {string|[string, string]} words the first place of these words; of a pair the second, behind the first
   * @param {number} skip as many characters further
   */
  async cursor(file, words, skip = 0) {
    const [anchor, target] = Array.isArray(words) ? words : [words, words];
    const text = this.text(file);
    const start = text.indexOf(anchor);
    const at = start < 0 ? -1 : text.indexOf(target, start);
    if (at < 0) throw new Error(`${file} has no '${words}'`);
    const before = text.slice(0, at + skip).split('\n');
    const line = before.length;
    const last = before[line - 1];
    const column = [...last].reduce((n, char) => (char === '\t' ? n + TAB - (n % TAB) : n + 1), 0) + 1;
    await this.quiet();
    await this.page.keyboard.press('Control+g');
    const input = this.#quickInput();
    await input.fill(`:${line}:${last.length + 1}`);
    await this.page.locator('.quick-input-widget .monaco-list-row', { hasText: /^Go to line/ }).first().waitFor();
    await input.press('Enter');
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await this.at(line, column);
    return line;
  }

  /** Waits until the status bar says that the cursor is there. */
  async at(line, column) {
    await this.page.getByRole('button', { name: new RegExp(`^Ln ${line}, Col ${column ?? '\\d+'}\\b`) }).waitFor();
  }

  /** The line of the editor that shows these words. */
  line(words) {
    // VS Code draws blanks as unbreakable ones.
    const pattern = words.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[\\s\\u00a0]+');
    return this.page.locator('.editor-instance .view-line', { hasText: new RegExp(pattern) }).first();
  }

  /** Waits until a word of a line, an opcode, has the colour that the server gives it; plain text is 'mtk1'. */
  async coloured(words, word) {
    await this.until(`'${word}' has its colour`, () => this.line(words).evaluate((line, word) => {
      const spans = [...line.querySelectorAll('span > span')].filter((span) => span.textContent.trim().startsWith(word));
      return spans.length > 0 && spans.every((span) => !span.classList.contains('mtk1'));
    }, word));
  }

  // ---- commands

  /** Runs a command by its full title. */
  async command(title) {
    await this.#quick('F1', `>${title}`, title);
  }

  async #quick(key, typed, row) {
    await this.quiet();
    await this.page.keyboard.press(key);
    await this.#quickInput().fill(typed);
    const exact = new RegExp(`^${row.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(,|$)`);
    await this.page.locator('.quick-input-widget .monaco-list-row.focused').and(this.page.getByRole('option', { name: exact })).waitFor();
    await this.page.keyboard.press('Enter');
  }

  #quickInput() {
    return this.page.locator('.quick-input-widget:visible .quick-input-box input');
  }

  /** Closes what is open over the editor. */
  async quiet() {
    const over = this.page.locator('.suggest-widget.visible, .action-widget:visible, .monaco-hover:not(.hidden) .hover-contents:visible, .quick-input-widget:visible');
    await this.until('nothing lies over the editor', async () => {
      if (await over.count() === 0) return true;
      await this.page.keyboard.press('Escape');
      return false;
    });
  }

  // ---- what is to be seen

  /**
   * Shows the hover at the cursor until it holds these words, and answers a way to keep a picture of it.
   *
   * VS Code closes a hover when lenses or findings arrive that move lines; then it is asked for once more.
   */
  async hover(words, picture) {
    const hover = this.page.locator('.monaco-hover:visible', { hasText: words }).first();
    await this.until(`there is a hover with ${words}`, async () => {
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('Control+k');
      await this.page.keyboard.press('Control+i');
      if (!await hover.waitFor({ timeout: 5_000 }).then(() => true, () => false)) return false;
      // The parts of several servers and the fixes arrive one by one.
      const isComplete = async () => await hover.getByText(/Checking for quick fixes|^Loading/).count() === 0;
      if (!await this.until('the hover is complete', async () => await isComplete() || !await hover.isVisible())) return false;
      if (picture) await this.picture(picture);
      return hover.isVisible();
    });
    return hover;
  }

  /** Goes down a list until this row has the focus. */
  async choose(list, row) {
    const chosen = list.locator('.monaco-list-row.focused', { hasText: row }).first();
    await list.locator('.monaco-list-row', { hasText: row }).first().waitFor();
    await this.until(`the row ${row} is chosen`, async () => {
      if (await chosen.count()) return true;
      const focus = list.locator('.monaco-list-row.focused');
      const before = await focus.getAttribute('data-index').catch(() => null);
      await this.page.keyboard.press('ArrowDown');
      await this.until('the focus moves', async () => await focus.getAttribute('data-index').catch(() => null) !== before);
      return false;
    });
    return chosen;
  }

  /** A row of the list of suggestions. */
  suggestion(words) {
    return this.page.locator('.suggest-widget.visible .monaco-list-row', { hasText: words }).first();
  }

  /** An item of the status bar that holds these words. */
  status(words) {
    return this.page.locator('.statusbar-item', { hasText: words }).first();
  }

  /** A message in the corner that holds these words. */
  message(words) {
    return this.page.locator('.notification-toast', { hasText: words }).first();
  }

  /** Asks again and again until there is an answer. */
  async until(what, ask) {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const answer = await ask();
      if (answer) return answer;
      if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Keeps a picture of the window. */
  async picture(name) {
    const file = path.join(this.pictures, `${name}.png`);
    return this.page.screenshot({ path: file, animations: 'disabled', caret: 'initial' });
  }
}
