// Completion of an operand: what the role of the operand asks for comes first.
export const file = 'hopper_pipeline.ptx';

export async function run(vs) {
  const { page } = vs;
  const list = page.locator('.suggest-widget.visible');
  await vs.cursor(file, ['consumer:', 'mov.b64 desc_a']);
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.type('    mbarrier.try_wait.parity.shared::cta.b64 ready, [');
  await list.locator('.monaco-list-row', { hasText: 'full' }).first().waitFor();
  await vs.picture('operands');
  await vs.quiet();
  await vs.revert();
}
