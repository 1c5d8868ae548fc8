// A server that is killed starts again; five times within three minutes are too often, and the user can start it.
import { languageServers } from '../processes.mjs';

export async function run({ vs, server }) {
  const running = (but) => vs.until('a server runs', () => {
    const pid = languageServers(server.pid)[0];
    return pid !== but && pid;
  });
  await vs.page.locator('.squiggly-error').first().waitFor();
  let last;
  for (let death = 1; death <= 5; death++) {
    last = await running(last);
    // A server that has answered: one that dies before is not started again.
    await vs.cursor(vs.file, 'add.s32 %r2', 1);
    await vs.hover('add');
    process.kill(last, 'SIGKILL');
  }
  const message = vs.message(/exited 5 times within 3 minutes/);
  await message.waitFor();
  await message.getByRole('button', { name: 'Restart' }).click();
  await running(last);
  await vs.hover('add');
}
