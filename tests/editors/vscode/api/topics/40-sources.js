// From a line of CUDA C++ to the PTX that was made from it.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const { address, ask, show, until, vscode } = require('../help');

const SOURCE = ['__global__ void set(int *x) {', '  *x = 1;', '}', ''].join('\n');

/** A PTX file whose second instruction comes from line 2 of the source. */
const ptx = (source) => `.version 8.0
.target sm_80
.address_size 64
.file 1 "${source}"
.visible .entry set(.param .u64 x)
{
    .reg .b64 %rd<2>;
    .loc 1 2 3
    ld.param.u64 %rd1, [x];
    st.global.u32 [%rd1], 1;
    .loc 1 3 1
    ret;
}
`;

module.exports = {
  async 'lenses on the lines of a source'() {
    const source = address('set.cu');
    fs.writeFileSync(source.fsPath, SOURCE);
    fs.writeFileSync(address('set.ptx').fsPath, ptx(source.fsPath));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const document = await show('set.cu');
    await show('set.ptx');
    const found = await ask('executeCodeLensProvider', document.uri);
    const lenses = found.filter((one) => one.command?.command === 'ptx-lsp.showPtxOfSource');
    assert.deepEqual(lenses.map(({ range, command }) => [range.start.line, command.title]), [[1, '2 PTX instructions'], [2, '1 PTX instruction']]);
  },

  async 'the lens shows the PTX'() {
    const document = await show('set.cu');
    await vscode.commands.executeCommand('ptx-lsp.showPtxOfSource', document.uri, 1);
    await until('the PTX beside the line', () => vscode.window.visibleTextEditors.some((one) => one.document.fileName.endsWith('set.ptx')));
    await vscode.commands.executeCommand('closeReferenceSearch');
  },

  async 'nothing is shown for a line without PTX'() {
    const document = await show('set.cu');
    await vscode.commands.executeCommand('ptx-lsp.showPtxOfSource', document.uri, 0);
    assert.equal(vscode.window.activeTextEditor.document.fileName, document.fileName);
  },
};
