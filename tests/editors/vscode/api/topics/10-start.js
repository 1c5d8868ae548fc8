// The first file that is opened after VS Code starts.
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const { codes, extension, findings, server, show } = require('../help');

const LIBRARIES = 'import importlib.util as u; print(*filter(u.find_spec, ("pygls", "lark", "lsprotocol", "ptx_lsp")))';

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
    const [program] = fs.readFileSync(`/proc/${await server()}/cmdline`, 'utf8').split('\0');
    assert.equal(execFileSync(program, ['-I', '-c', LIBRARIES], { encoding: 'utf8' }).trim(), '');
  },

  async 'the extension is active'() {
    assert.equal((await extension()).isActive, true);
  },
};
