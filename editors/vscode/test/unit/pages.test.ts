import assert from 'node:assert/strict';
import { test } from 'node:test';

import { lineAt, withRelativeLinks } from '../../src/links';
import { topicsAt, valueIn } from '../../src/topics';

/** The topics at `|` in a line. */
function at(line: string, selected?: string): string[] {
  return topicsAt(line.replace('|', ''), line.indexOf('|'), selected);
}

test('the word at the cursor, then the instruction', () => {
  assert.deepEqual(at('    cp.async.bu|lk.global [%rd1], 16;'), ['cp.async.bulk.global']);
  assert.deepEqual(at('    @!%p1 bra.uni LO|OP;'), ['LOOP', 'bra.uni']);
  assert.deepEqual(at('LOOP: mov.u32 %r1, %ti|d.x;'), ['%tid.x', 'mov.u32']);
  assert.deepEqual(at('  |  { add.s32 %r1, %r2, 1; }'), ['add.s32']);
});

test('directives', () => {
  assert.deepEqual(at('.visible .en|try k()'), ['.entry', '.visible']);
  assert.deepEqual(at('  .reg .b3|2 %r<4>;'), ['.b32', '.reg']);
});

test('what is selected comes first', () => {
  assert.equal(at('ld.glo|bal.f32 %f1, [%rd1];', '.global')[0], '.global');
});

test('blank lines and comments are about nothing', () => {
  assert.deepEqual(at('|'), []);
  assert.deepEqual(at('  |// '), []);
});

test('values', () => {
  const values = ['0x08200490', ' 0b01?? ', '136315024', '0x40U', '%r1', '', '1.5', '0xfg'].map(valueIn);
  assert.deepEqual(values, ['0x08200490', '0b01??', '136315024', '0x40', undefined, undefined, undefined, undefined]);
});

test('links start where the page stands', () => {
  const text = '[`add`](ptx-lsp:/isa/add.md) and [PTX ISA](https://docs.nvidia.com)';
  assert.equal(withRelativeLinks(text, '/isa/mma.md'), '[`add`](../isa/add.md) and [PTX ISA](https://docs.nvidia.com)');
  assert.match(withRelativeLinks(text, '/index.md'), /\(\.\/isa\/add\.md\)/);
  assert.match(withRelativeLinks(text, '/values/idesc/-/0x1.md'), /\(\.\.\/\.\.\/\.\.\/isa\/add\.md\)/);
});

test('a link to a line of a file leads to an address that stands for it', () => {
  const text = '| [line 4](file:///a/b(1).ptx#L4) | [line 7](vscode-remote://h/c%20d.ptx#L7) | [PTX ISA](https://docs.nvidia.com/x#L9) |';
  const links = [...withRelativeLinks(text, '/barriers/x/1.0/t.md').matchAll(/\]\((\S+)\)/g)].map((one) => one[1]!);
  assert.equal(links[2], 'https://docs.nvidia.com/x#L9');
  // VS Code removes the escapes of the path once, or not at all.
  for (const path of [(one: string) => one, decodeURIComponent]) {
    const found = links.slice(0, 2).map((link) => lineAt(path(link.replace('../../../', '/'))));
    assert.deepEqual(found, [{ file: 'file:///a/b%281%29.ptx', line: 4 }, { file: 'vscode-remote://h/c%20d.ptx', line: 7 }]);
  }
});

test('pages stand for no line', () => {
  assert.equal(lineAt('/isa/mma.md'), undefined);
  assert.equal(lineAt('/barriers/file%3A%2F%2F%2Fa.ptx/5.3/barriers of gemm.md'), undefined);
});
