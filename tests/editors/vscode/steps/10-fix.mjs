// A mistake is underlined, and one of the fixes that the light bulb offers mends it.
export const file = 'mistakes.ptx';

export async function run(vs) {
  await vs.page.locator('.squiggly-error').first().waitFor();
  await vs.cursor(file, 'add.s32 %r2, %r1, %rl', 18);
  await vs.page.keyboard.press('Control+.');
  await vs.choose(vs.page.locator('.action-widget:visible'), "replace by '%r1'");
  await vs.picture('fix');
  await vs.page.keyboard.press('Enter');
  await vs.saved(file, (text) => text.includes('add.s32 %r2, %r1, %r1;'));
}
