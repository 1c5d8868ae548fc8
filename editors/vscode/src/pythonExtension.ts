/** The interpreter that the Python extension would use, if that extension is there. Nothing depends on it. */

import * as vscode from 'vscode';

/** The part of ms-python's public API that is used. */
interface PythonApi {
  readonly environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(path: { readonly path: string }): Promise<{ readonly executable: { readonly uri?: vscode.Uri } } | undefined>;
  };
}

/** Milliseconds that the other extension has: a slow one must not keep PTX from starting. */
const PATIENCE = 2000;

export async function pythonExtensionsInterpreter(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>('ms-python.python');
  if (!extension || !vscode.workspace.isTrusted) {
    return undefined; // the environment can lie in the workspace
  }
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE, undefined));
  return Promise.race([ask(extension), late]);
}

async function ask(extension: vscode.Extension<PythonApi>): Promise<string | undefined> {
  try {
    const { environments } = await extension.activate();
    const path = environments?.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
    const found = path && (await environments?.resolveEnvironment(path));
    return found?.executable.uri?.fsPath;
  } catch {
    return undefined;
  }
}
