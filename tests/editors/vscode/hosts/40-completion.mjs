// Completion within the string has what is legal in PTX; outside it is that of clangd.
export const file = 'tile.cu';

export async function run(vs) {
  const { page } = vs;
  const list = page.locator('.suggest-widget.visible');
  await vs.cursor(file, '%%laneid;', '%%laneid;'.length);
  await page.keyboard.type('\\n" "shfl.sync.');
  await vs.choose(list, /^\.?down/);
  await page.keyboard.press('Control+Space'); // opens what is said of it
  await page.locator('.suggest-details:visible').waitFor();
  await vs.picture('asm-completion');
  await page.keyboard.press('Tab');
  await vs.saved(file, (text) => /" "shfl\.sync\.down/.test(text));
  await vs.quiet();
  await vs.cursor(file, 'copy_row(lane', 4);
  await page.keyboard.press('Control+Space');
  await vs.suggestion('copy_row').waitFor();
  await vs.quiet();
}
