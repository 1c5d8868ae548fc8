// A hover says what an instruction does.
export const file = 'tensor_tile.ptx';

export async function run(vs) {
  await vs.cursor(file, 'cp.async.bulk.tensor', 3);
  await vs.hover('Starts to load a tile', 'hover');
}
