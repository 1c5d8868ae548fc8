// What is asked while one writes.
const assert = require('node:assert/strict');
const { ask, codes, findings, place, show, vscode } = require('../help');

const name = (item) => (typeof item.label === 'string' ? item.label : item.label.label);

/** Does something to a document and then takes it back. */
async function thenTakeBack(document, deed) {
  const before = document.getText();
  try {
    await deed();
  } finally {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    assert.equal(document.getText(), before);
  }
}

module.exports = {
  async 'completion'() {
    const document = await show('saxpy.ptx');
    const { items } = await ask('executeCompletionItemProvider', document.uri, place(document, 'ld.global.nc', 'ld.global.'.length), '.');
    assert.ok(items.some((item) => name(item) === '.nc'), String(items.slice(0, 20).map(name)));
  },

  async 'signatures'() {
    const document = await show('saxpy.ptx');
    const help = await ask('executeSignatureHelpProvider', document.uri, place(document, 'fma.rn.f32 \t%f4, ', 'fma.rn.f32 \t%f4, '.length));
    assert.match(help.signatures[help.activeSignature].label, /^fma/);
    assert.equal(help.signatures[0].activeParameter ?? help.activeParameter, 1);
  },

  async 'a fix'() {
    const document = await show('mistakes.ptx');
    const [finding] = (await findings(document)).filter((one) => one.message.includes('%rl'));
    const actions = await ask('executeCodeActionProvider', document.uri, finding.range, vscode.CodeActionKind.QuickFix.value);
    const fix = actions.find((action) => action.title.includes("'%r1'"));
    await thenTakeBack(document, async () => {
      assert.ok(await vscode.workspace.applyEdit(fix.edit));
      await findings(document, (all) => !all.some((one) => one.message.includes('%rl')));
    });
  },

  async 'rename'() {
    const document = await show('saxpy.ptx');
    const edit = await ask('executeDocumentRenameProvider', document.uri, place(document, '$L__BB0_2', 2), 'finished');
    assert.deepEqual(edit.entries().map(([, edits]) => edits.length), [2]);
  },

  async 'formatting'() {
    const document = await show('suspicious.ptx');
    const edits = await ask('executeFormatDocumentProvider', document.uri, { tabSize: 4, insertSpaces: true });
    await thenTakeBack(document, async () => {
      const edit = new vscode.WorkspaceEdit();
      edit.set(document.uri, edits);
      const before = document.getText();
      assert.ok(await vscode.workspace.applyEdit(edit));
      assert.notEqual(document.getText(), before);
      assert.equal(document.getText().replace(/\s/g, ''), before.replace(/\s/g, ''));
    });
  },

  async 'findings follow what is typed'() {
    const document = await show('saxpy.ptx');
    await thenTakeBack(document, async () => {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, place(document, 'fma.rn.f32'), 'nonsense %r1;\n\t');
      await vscode.workspace.applyEdit(edit);
      assert.ok(codes(await findings(document)).length);
    });
    await findings(document, (all) => !all.length);
  },
};
