// The hover on a squiggle says what is wrong, with a link to the rule.
export const file = 'mistakes.ptx';

export async function run(vs) {
  await vs.cursor(file, 'add.f32x2', 5);
  await vs.hover('E502');
  await vs.picture('problem');
}
