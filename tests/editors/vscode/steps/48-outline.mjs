// The outline names functions, parameters, registers, variables and labels: to pick from by keyboard, and beside the code.
export const file = 'tensor_memory.ptx';

export async function run(vs) {
  const { page } = vs;
  await vs.quiet();
  await page.keyboard.press('Control+Shift+o');
  const list = page.locator('.quick-input-widget:visible');
  await list.locator('.monaco-list-row', { hasText: 'matmul' }).first().waitFor();
  await page.keyboard.type('multiply');
  await list.locator('.monaco-list-row.focused', { hasText: 'multiply' }).waitFor();
  await page.keyboard.press('Enter');
  await vs.command('Explorer: Focus on Outline View');
  await page.locator('.pane-header', { hasText: /^workspace/i }).click(); // folds the files: more room
  await page.locator('.outline-tree .monaco-list-row', { hasText: 'tensor_map' }).waitFor();
  await vs.picture('outline');
  await page.keyboard.press('Control+b');
  await page.locator('.part.sidebar').waitFor({ state: 'hidden' });
  await page.keyboard.press('Control+1');
}
