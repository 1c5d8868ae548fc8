// The outline names functions, parameters, registers, variables and labels.
export const file = 'tensor_memory.ptx';

export async function run(vs) {
  const { page } = vs;
  await vs.quiet();
  await page.keyboard.press('Control+Shift+o');
  const list = page.locator('.quick-input-widget:visible');
  await list.locator('.monaco-list-row', { hasText: 'matmul' }).first().waitFor();
  await vs.picture('outline');
  await page.keyboard.type('response');
  await list.locator('.monaco-list-row.focused', { hasText: 'response' }).waitFor();
  await page.keyboard.press('Escape');
}
