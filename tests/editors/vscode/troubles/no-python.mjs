// No Python on this machine: one sentence that says so, and a button to the setting that helps. The text is coloured.
export const options = () => ({ path: '/nonexistent' });

export async function run({ vs, chosen }) {
  const message = vs.message(/Python 3\.11 or newer.*was not found/);
  await message.waitFor();
  await vs.page.locator('.view-line span[class*=mtk]').first().waitFor();
  await message.getByRole('button', { name: 'Open Setting' }).click();
  const setting = vs.page.locator('.settings-editor .setting-item-contents', { hasText: 'The path of the Python interpreter' });
  await setting.locator('input').first().fill(`${chosen.path.split(':')[0]}/python3`);
  await vs.page.locator('.tab', { hasText: vs.file }).first().click();
  await vs.page.locator('.squiggly-error').first().waitFor();
}
