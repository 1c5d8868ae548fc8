// The first file that is opened after VS Code starts.
const assert = require('node:assert/strict');
const { codes, findings, show, vscode } = require('../help');

module.exports = {
  async 'the first findings of 1,000 lines'() {
    const start = performance.now();
    const document = await show('thousand.ptx');
    const all = await findings(document);
    const seconds = (performance.now() - start) / 1000;
    assert.equal(document.languageId, 'ptx');
    assert.deepEqual(codes(all), ['E201']);
    return `${document.lineCount} lines: findings ${seconds.toFixed(2)} s after the file was opened, the server's start included`;
  },

  async 'the server is the packaged one, on a Python without its libraries'() {
    const { server } = require('../help');
    const fs = require('node:fs');
    const [program] = fs.readFileSync(`/proc/${server()}/cmdline`, 'utf8').split('\0');
    const { execFileSync } = require('node:child_process');
    const found = execFileSync(program, ['-c', 'import importlib.util as u; print(u.find_spec("pygls"))'], { encoding: 'utf8' });
    assert.equal(found.trim(), 'None');
  },

  async 'the extension is active'() {
    assert.equal(vscode.extensions.getExtension('ptx-lsp.ptx-lsp').isActive, true);
  },
};
