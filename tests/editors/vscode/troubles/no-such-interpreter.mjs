// A setting that leads nowhere is named, with a button to it.
export const options = () => ({ settings: { 'ptx-lsp.interpreter': '/nowhere/python3' } });

export async function run({ vs }) {
  const message = vs.message(/ptx-lsp\.interpreter is '\/nowhere\/python3', which does not exist/);
  await message.waitFor();
  await message.getByRole('button', { name: 'Open Setting' }).waitFor();
}
