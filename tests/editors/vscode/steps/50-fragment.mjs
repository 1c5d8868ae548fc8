// A hover on an operand of mma shows which lane holds which element.
export const file = 'warp_reduction.ptx';

export async function run(vs) {
  await vs.cursor(file, ['mma.sync.aligned.m16n8k16', '{d0']);
  await vs.hover('rows 0-7');
  await vs.picture('fragment');
}
