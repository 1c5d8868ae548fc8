// Settings of the wrong type are named, and all else works.
export const options = () => ({ settings: { 'ptx-lsp.interpreter': 5, 'ptx-lsp.maxDiagnostics': 'many' } });

export async function run({ vs }) {
  await vs.message(/ptx-lsp\.interpreter/).waitFor();
  await vs.message(/max-?diagnostics/i).waitFor();
  await vs.page.locator('.squiggly-error').first().waitFor();
}
