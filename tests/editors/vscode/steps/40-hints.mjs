// Inlay hints say what numbers and descriptors mean, between the words.
export const file = 'tensor_memory.ptx';

export async function run(vs) {
  await vs.cursor(file, 'multiply:');
  await vs.line('bf16→f32 M128 N128').waitFor();
  await vs.picture('hints');
}
