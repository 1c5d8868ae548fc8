// Formatting puts the operands of a run of instructions into a column, and changes nothing but blanks.
export const file = 'suspicious.ptx';

export async function run(vs) {
  const before = vs.text(file);
  await vs.cursor(file, '.entry');
  await vs.page.keyboard.press('Control+Shift+i');
  const after = await vs.saved(file, (text) => text !== before);
  if (!/^ {4}setp\.lt\.s32 +%p1, %r2, 4;\n {4}@%p1 bra +AGAIN;$/m.test(after)) throw new Error(`formatted as\n${after}`);
  if (after.replace(/\s/g, '') !== before.replace(/\s/g, '')) throw new Error('formatting changed more than blanks');
}
