// What the topics share.
const fs = require('node:fs');
const vscode = require('vscode');

const PATIENCE = 20_000; // milliseconds

/** Asks again and again until there is an answer. */
async function until(what, ask) {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The address of a file of the workspace. */
const address = (file) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, file);

/** Shows a file. */
async function show(file) {
  const document = await vscode.workspace.openTextDocument(address(file));
  await vscode.window.showTextDocument(document);
  return document;
}

/** The place of some words in a document, `skip` characters further. */
function place(document, words, skip = 0) {
  const at = document.getText().indexOf(words);
  if (at < 0) throw new Error(`there is no '${words}'`);
  return document.positionAt(at + skip);
}

/** Asks VS Code what its providers say, until they say something. */
function ask(command, ...rest) {
  return until(command, async () => {
    const answer = await vscode.commands.executeCommand(`vscode.${command}`, ...rest);
    return (Array.isArray(answer) ? answer.length : answer) ? answer : undefined;
  });
}

/** The findings of a document, once they satisfy. */
function findings(document, satisfy = (all) => all.length) {
  return until('findings', () => {
    const all = vscode.languages.getDiagnostics(document.uri);
    return satisfy(all) ? all : undefined;
  });
}

const codes = (all) => all.map((one) => (typeof one.code === 'object' ? one.code.value : one.code));

/** The process of the language server that this extension host started; nothing while there is none. */
function server() {
  const script = `${vscode.extensions.getExtension('ptx-lsp.ptx-lsp').extensionPath}/bundled/server.py`;
  for (const pid of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const ours = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1] === String(process.pid);
      if (ours && fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(script)) return Number(pid);
    } catch {
      // it has just ended
    }
  }
  return undefined;
}

module.exports = { address, ask, codes, findings, place, server, show, until, vscode };
