// Two windows on one folder: each has a server of its own, and both work.
import { languageServers } from '../processes.mjs';
import { openWindow } from '../session.mjs';

export async function run({ vs, server }) {
  const second = await vs.page.context().newPage();
  await openWindow(second, server, vs.file);
  await second.locator('.squiggly-error').first().waitFor();
  await vs.page.locator('.squiggly-error').first().waitFor();
  await vs.until('two servers run', () => languageServers(server.pid).length === 2);
  await second.close();
  await vs.until('one server is left', () => languageServers(server.pid).length === 1);
}
