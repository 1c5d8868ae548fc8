// A mistake in a string of CUDA C++ is underlined, beside a mistake that clangd finds.
export const file = 'tile.cu';

export async function run(vs) {
  await vs.page.locator('.squiggly-error').first().waitFor();
  await vs.cursor(file, "scale;", 2);
  await vs.hover("undeclared identifier 'scale'");
  await vs.cursor(file, ['[%1]', '8;']);
  await vs.hover("'cp.async' expects 16", 'asm-problem');
}
