// A hover on the descriptor of tcgen05.mma says what its bits mean.
export const file = 'tensor_memory.ptx';

export async function run(vs) {
  await vs.cursor(file, ['tcgen05.mma', 'idesc'], 2);
  await vs.hover('Instruction descriptor');
  await vs.picture('descriptor');
}
