/** The user's settings, read from VS Code. */

import * as os from 'node:os';
import * as vscode from 'vscode';

import { chosen, expanded, OWN_SETTINGS, type TextSetting, textSetting } from './settings';

export const SECTION = 'ptx-lsp';

/** A setting that names a program: its absolute path, or empty text. */
export function program(name: 'interpreter' | 'path'): TextSetting {
  const setting = textSetting(name, vscode.workspace.getConfiguration(SECTION).get(name));
  if (!setting.text) {
    return setting;
  }
  return { text: expanded(setting.text, { home: os.homedir(), folders: folders(), env: process.env }) };
}

export function folders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
}

/** Whether findings of files that are not open are wanted. */
export function checksWorkspace(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get('checkWorkspace') === true;
}

/** The languages in which inline assembly is checked. */
export function languagesWithAssembly(): string[] {
  const found: unknown = vscode.workspace.getConfiguration(SECTION).get('inlineAssembly');
  return Array.isArray(found) ? found.filter((one): one is string => typeof one === 'string' && one !== 'ptx') : [];
}

/** The server's settings that the user set, for a resource. */
export function forServer(context: vscode.ExtensionContext, scope?: vscode.Uri): Record<string, unknown> {
  const configuration = vscode.workspace.getConfiguration(SECTION, scope);
  const own = new Set<string>(OWN_SETTINGS);
  return chosen(
    keys(context)
      .filter((key) => !own.has(key))
      .map((key) => {
        const found = configuration.inspect(key);
        const levels = [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue];
        return { key, value: configuration.get(key), levels };
      }),
  );
}

/** The names of our settings without the section, from package.json. */
function keys(context: vscode.ExtensionContext): string[] {
  const parts = context.extension.packageJSON.contributes.configuration as Array<{ properties: object }>;
  return parts.flatMap((part) => Object.keys(part.properties)).map((name) => name.slice(SECTION.length + 1));
}
