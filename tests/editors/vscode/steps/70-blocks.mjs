// A kernel as it is opened, and its loops and blocks folded to one line each.
export const file = 'hopper_pipeline.ptx';

export async function run(vs) {
  const { page } = vs;
  await page.locator('.codelens-decoration', { hasText: 'requires' }).first().waitFor();
  await page.keyboard.press('Control+Home');
  await vs.coloured('mov.u64 mapa, map_a', 'mov');
  await vs.picture('first-screen');
  await vs.cursor(file, 'producer:');
  await vs.command('Fold Level 2');
  await page.locator('.view-line:has(.inline-folded)').nth(3).waitFor();
  await vs.picture('folding');
  await vs.command('Unfold All');
  await page.locator('.inline-folded').first().waitFor({ state: 'detached' });
}
