// Completion by keyboard: what is legal after what stands there, each with its meaning.
export const file = 'saxpy.ptx';

export async function run(vs) {
  const { page } = vs;
  const list = page.locator('.suggest-widget.visible');
  await vs.cursor(file, 'add.s64 \t%rd7');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  for (let line = 0; line < 14; line++) await page.keyboard.press('Control+ArrowDown'); // room for the list below the line
  await page.keyboard.type('ld.global.');
  await vs.choose(list, /^\.?nc/);
  await page.keyboard.press('Control+Space'); // opens what is said of it
  await page.locator('.suggest-details:visible', { hasText: 'read-only cache' }).waitFor();
  await vs.coloured('ld.global.', 'ld');
  await vs.coloured('add.s64 %rd7', 'add');
  await vs.picture('completion');
  await page.keyboard.type('n');
  await vs.choose(list, /^\.?nc/);
  await page.keyboard.press('Tab');
  await vs.saved(file, (text) => /\n\tld\.global\.nc/.test(text));
  await page.keyboard.press('Control+Shift+k'); // deletes the line
  await vs.saved(file, (text) => !/\n\tld\.global\.nc\.?\n/.test(text));
}
