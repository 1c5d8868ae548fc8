// F12 on a branch goes to its label, Alt+Left back.
export const file = 'tensor_memory.ptx';

export async function run(vs) {
  const line = (words) => vs.text(file).split('\n').indexOf(words) + 1;
  const from = await vs.cursor(file, ['@ready bra', 'multiply'], 2);
  await vs.page.keyboard.press('F12');
  await vs.at(line('multiply:'));
  await vs.page.keyboard.press('Control+Alt+-'); // back, on Linux
  await vs.at(from);
}
