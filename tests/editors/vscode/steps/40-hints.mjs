// Inlay hints say what numbers and descriptors mean, between the words.
export const file = 'tensor_memory.ptx';

export async function run(vs) {
  await vs.cursor(file, 'multiply:');
  const hint = vs.line('bf16→f32 M128 N128');
  await hint.waitFor();
  await vs.picture('hints');
}
