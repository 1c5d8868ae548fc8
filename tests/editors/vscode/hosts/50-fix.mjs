// The fix of a finding replaces the word within the string.
export const file = 'quantize.py';

export async function run(vs) {
  await vs.cursor(file, '.b33', 2);
  await vs.page.keyboard.press('Control+.');
  await vs.choose(vs.page.locator('.action-widget:visible'), "replace with '.b32'");
  await vs.page.keyboard.press('Enter');
  await vs.saved(file, (text) => text.includes('mov.b32 $0, {lo, hi};'));
}
