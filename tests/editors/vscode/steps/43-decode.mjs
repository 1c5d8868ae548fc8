// The command that decodes the descriptor under the cursor opens a page beside the code.
export const file = 'tensor_memory.ptx';

export async function run(vs) {
  const { page } = vs;
  await vs.cursor(file, ['tcgen05.mma', 'idesc'], 2);
  await vs.command('PTX: Decode Descriptor…');
  const preview = page.frameLocator('iframe.webview').frameLocator('#active-frame').locator('body', { hasText: 'K-major' });
  await preview.waitFor();
  await vs.picture('page');
  await page.keyboard.press('Control+1'); // back to the first group of editors
  await vs.command('View: Close Editors in Other Groups');
  await page.locator('.editor-group-container').nth(1).waitFor({ state: 'detached' });
}
