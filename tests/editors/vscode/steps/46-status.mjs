// The status bar says that the server runs, and for what the module is made.
export const file = 'tensor_memory.ptx';

export async function run(vs) {
  await vs.quiet();
  await vs.status('PTX').first().waitFor();
  await vs.page.locator('#status\\.languageStatus').hover();
  const status = vs.page.locator('.hover-language-status:visible', { hasText: 'sm_100a, PTX 8.8' }).first();
  await status.waitFor();
  await vs.picture('status');
  await vs.page.mouse.move(0, 0);
}
