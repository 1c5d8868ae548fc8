// What is asked while one reads.
const assert = require('node:assert/strict');
const { address, ask, codes, findings, place, show, vscode } = require('../help');

const words = (hovers) => hovers.flatMap((hover) => hover.contents.map((part) => part.value ?? part)).join('\n');

module.exports = {
  async 'findings lead to their rule'() {
    const document = await show('mistakes.ptx');
    const all = await findings(document, (found) => found.length >= 12);
    assert.ok(codes(all).includes('E502'));
    for (const one of all) assert.equal(one.source, 'ptx-lsp');
  },

  async 'hover'() {
    const document = await show('tensor_tile.ptx');
    const hovers = await ask('executeHoverProvider', document.uri, place(document, 'wgmma.mma_async', 2));
    assert.match(words(hovers), /wgmma\.mma_async/);
  },

  async 'a hover decodes a descriptor'() {
    const document = await show('tensor_memory.ptx');
    const at = place(document, 'b_desc, idesc', 'b_desc, '.length + 1);
    assert.match(words(await ask('executeHoverProvider', document.uri, at)), /M128 N128/);
  },

  async 'outline'() {
    const symbols = await ask('executeDocumentSymbolProvider', address('tensor_memory.ptx'));
    const names = symbols.map((symbol) => symbol.name);
    assert.ok(names.includes('matmul') && names.includes('cancel'), String(names));
    const { children } = symbols.find((symbol) => symbol.name === 'matmul');
    assert.ok(children.some((child) => child.name === 'loop over k · multiply'), String(children.map((child) => child.name)));
  },

  async 'definition and references'() {
    const document = await show('tensor_memory.ptx');
    const at = place(document, 'bra multiply', 5);
    const [definition] = await ask('executeDefinitionProvider', document.uri, at);
    const range = definition.targetSelectionRange ?? definition.targetRange ?? definition.range;
    assert.equal(document.lineAt(range.start.line).text, 'multiply:');
    const references = await ask('executeReferenceProvider', document.uri, at);
    assert.equal(references.length, 2);
  },

  async 'highlights, folds, selections, lenses'() {
    const document = await show('tensor_memory.ptx');
    const at = place(document, 'bra multiply', 5);
    assert.equal((await ask('executeDocumentHighlights', document.uri, at)).length, 2);
    assert.ok((await ask('executeFoldingRangeProvider', document.uri)).length >= 2);
    assert.ok((await ask('executeSelectionRangeProvider', document.uri, [at]))[0].parent);
    assert.ok((await ask('executeCodeLensProvider', document.uri, 100)).some((lens) => /requires PTX/.test(lens.command?.title)));
  },

  async 'inlay hints'() {
    const document = await show('tensor_memory.ptx');
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    const hints = await ask('executeInlayHintProvider', document.uri, whole);
    const labels = hints.map((hint) => (typeof hint.label === 'string' ? hint.label : hint.label.map((part) => part.value).join('')));
    assert.ok(labels.some((label) => label.includes('bf16→f32 M128 N128')), String(labels));
  },

  async 'colours by meaning'() {
    const uri = address('tensor_memory.ptx');
    const legend = await ask('provideDocumentSemanticTokensLegend', uri);
    const tokens = await ask('provideDocumentSemanticTokens', uri);
    const used = new Set(Array.from({ length: tokens.data.length / 5 }, (_, i) => legend.tokenTypes[tokens.data[5 * i + 3]]));
    assert.ok(used.size >= 6, String([...used]));
  },

  async 'callers'() {
    const document = await show('calls_and_tables.ptx');
    const [item] = await ask('prepareCallHierarchy', document.uri, place(document, ') factorial (', 3));
    assert.ok(item.name);
    assert.ok((await ask('provideIncomingCalls', item)).length);
  },

  async 'symbols of the workspace'() {
    const symbols = await ask('executeWorkspaceSymbolProvider', 'saxpy');
    assert.ok(symbols.some((symbol) => symbol.name === 'saxpy'));
  },
};
