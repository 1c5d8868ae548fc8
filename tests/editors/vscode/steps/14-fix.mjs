// The list of fixes mends a mistake: here the target, in the head of the file.
export const file = 'mistakes.ptx';

export async function run(vs) {
  await vs.cursor(file, 'add.f32x2', 5);
  await vs.page.keyboard.press('Control+.');
  await vs.choose(vs.page.locator('.action-widget:visible'), "write '.target sm_100'");
  await vs.picture('fix');
  await vs.page.keyboard.press('Enter');
  await vs.saved(file, (text) => text.includes('\n.target sm_100\n'));
}
