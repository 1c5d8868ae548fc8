// Within the string the hover is that of PTX, outside that of clangd; neither has something of the other.
export const file = 'tile.cu';

export async function run(vs) {
  await vs.cursor(file, ['copy_row(lane', 'copy_row'], 2);
  const outside = await vs.hover('function copy_row');
  if (await outside.getByText('cp.async').count()) throw new Error('PTX outside of a string');
  await vs.cursor(file, '%8,', 1);
  await vs.hover('b[0]');
  await vs.cursor(file, 'mma.sync', 2);
  await vs.hover('m16n8k16', 'asm-hover');
}
