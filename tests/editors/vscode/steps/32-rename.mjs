// F2 on a label renames it and the branches to it.
export const file = 'saxpy.ptx';

export async function run(vs) {
  const { page } = vs;
  await vs.cursor(file, ['bra', '$L__BB0_2'], 2);
  await page.keyboard.press('F2');
  const input = page.locator('.rename-box:visible input');
  await input.fill('finished');
  await input.press('Enter');
  await vs.saved(file, (text) => /bra\s+finished;/.test(text) && /^finished:/m.test(text) && !text.includes('$L__BB0_2'));
}
