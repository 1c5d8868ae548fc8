/** Settings as they are written: of any type, with variables in paths. Nothing here knows VS Code. */

import * as path from 'node:path';

/** Settings that are about the extension; all others of our section are the server's. */
export const OWN_SETTINGS = ['interpreter', 'path', 'checkWorkspace', 'inlineAssembly', 'trace.server'] as const;

/** The text of a setting, and in one sentence what is wrong with it. */
export interface TextSetting {
  readonly text: string;
  readonly problem?: string;
}

/** A setting that must be a string; unset and empty are the same. */
export function textSetting(name: string, value: unknown): TextSetting {
  if (value === undefined || value === null) {
    return { text: '' };
  }
  if (typeof value !== 'string') {
    return { text: '', problem: `The setting ptx-lsp.${name} must be a string, not ${JSON.stringify(value)}; it is ignored.` };
  }
  return { text: value.trim() };
}

/** What the variables in a path stand for. */
export interface Variables {
  readonly home: string;
  readonly folders: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/**
 * A path with its variables replaced: `~`, `${userHome}`, `${workspaceFolder}`, `${env:NAME}`.
 *
 * A relative path starts at the first folder of the workspace, as VS Code's own settings do.
 */
export function expanded(text: string, variables: Variables): string {
  const [folder = variables.home] = variables.folders;
  const full = text
    .replace(/^~(?=$|[\\/])/, () => variables.home)
    .replace(/\$\{userHome\}/g, () => variables.home)
    .replace(/\$\{workspaceFolder\}/g, () => folder)
    .replace(/\$\{env:(\w+)\}/g, (_, name: string) => variables.env[name] ?? '');
  return path.resolve(folder, full);
}

/** Whether a file lies in one of these folders. */
export function isWithin(file: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const relative = path.relative(folder, file);
    return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
  });
}

/** One setting as VS Code's `inspect` tells it: its value at each level, undefined where it is not set. */
export interface Inspected {
  readonly key: string;
  readonly value: unknown;
  readonly levels: readonly unknown[];
}

/**
 * The settings that the user set, as one object with tables in it.
 *
 * Defaults are left out: the server has the same, and sent along they would win over the project's `ptx-lsp.toml`.
 */
export function chosen(settings: Iterable<Inspected>): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const { key, value, levels } of settings) {
    if (levels.every((level) => level === undefined)) {
      continue;
    }
    const names = key.split('.');
    const last = names.pop() as string;
    let table = found;
    for (const name of names) {
      table = (table[name] ??= {}) as Record<string, unknown>;
    }
    table[last] = value;
  }
  return found;
}
