// The page of a kernel's barriers: who takes part in each, with links to the lines.
export const file = 'hopper_pipeline.ptx';

export async function run(vs) {
  const { page } = vs;
  await vs.cursor(file, ['load:', 'try_wait'], 2);
  await vs.command('PTX: Show Barriers of the Function');
  const preview = page.frameLocator('iframe.webview').frameLocator('#active-frame').locator('body', { hasText: 'waits' });
  await preview.waitFor();
  await vs.picture('barriers');
  // A link to a line leads to it, in the editor beside the page, which stays.
  const link = preview.getByRole('link', { name: /^line \d+$/ }).first();
  const line = Number((await link.innerText()).slice('line '.length));
  await link.click();
  await vs.at(line, 1);
  await page.locator(`.editor-group-container.active .tab.active[data-resource-name="${file}"]`).waitFor();
  await page.locator('.tab', { hasText: /\.line$/ }).waitFor({ state: 'detached' });
  await preview.waitFor();
  await page.keyboard.press('Control+1'); // back to the first group of editors
  await vs.command('View: Close Editors in Other Groups');
  await page.locator('.editor-group-container').nth(1).waitFor({ state: 'detached' });
}
