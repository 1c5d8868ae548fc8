// Completion by keyboard: what is legal after what stands there, and no more.
export const file = 'saxpy.ptx';

export async function run(vs) {
  const { page } = vs;
  await vs.cursor(file, 'add.s64 \t%rd7');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('ld.global.');
  await vs.suggestion('.L1::evict_first').waitFor();
  await page.keyboard.type('n');
  await vs.choose(page.locator('.suggest-widget.visible'), /^\.?nc/);
  await vs.picture('completion');
  await page.keyboard.press('Tab');
  await vs.saved(file, (text) => /\n\tld\.global\.nc/.test(text));
  await page.keyboard.press('Control+Shift+k'); // deletes the line
  await vs.saved(file, (text) => !/\n\tld\.global\.nc\.?\n/.test(text));
}
