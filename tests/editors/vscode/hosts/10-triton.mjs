// A kernel of Triton, in a workspace without PTX files: findings of pyright and ours, hovers of each in its language.
export const file = 'quantize.py';

export async function run(vs) {
  await vs.page.locator('.squiggly-error').nth(1).waitFor();
  await vs.cursor(file, 'quantize', 2);
  await vs.hover('def quantize');
  await vs.cursor(file, 'tragte', 2);
  await vs.hover('"tragte" is not defined');
  await vs.cursor(file, 'cvt.rn', 1);
  await vs.hover('cvt.rn.satfinite.e4m3x2.f32', 'triton');
}
