/** From the settings to the process to start, or to the sentence that says why there is none. */

import * as vscode from 'vscode';

import * as configuration from './configuration';
import { type Candidate, namesOnPath, search } from './interpreter';
import { isProgram, isScript, onPath, probe, whyNoProgram } from './programs';
import { offerSetting } from './messages';
import { pythonExtensionsInterpreter } from './pythonExtension';
import { bundled, type Command, installed } from './server';
import { isWithin } from './settings';

/** Why nothing can be started. */
export class CannotStart extends Error {
  constructor(
    message: string,
    /** The setting that fixes it, without the section. */
    readonly setting: 'interpreter' | 'path',
  ) {
    super(message);
  }
}

/**
 * What to start.
 *
 * @throws CannotStart
 */
export async function whatToStart(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Promise<Command> {
  const server = named('path', log);
  if (server) {
    if (!isProgram(server)) {
      throw new CannotStart(`The setting ptx-lsp.path is '${server}', which ${whyNoProgram(server)}.`, 'path');
    }
    return installed(server);
  }
  const cwd = context.extensionPath; // never the workspace: Windows looks for programs in the current folder
  const outcome = await search(await candidates(log), (candidate) => probe(candidate, cwd));
  outcome.tried.forEach((line) => log.info(`interpreter: ${line}`));
  if (!('found' in outcome)) {
    throw new CannotStart(outcome.message, 'interpreter');
  }
  return bundled(outcome.found, context.asAbsolutePath('bundled/server.py'));
}

/** The program that a setting names; one of the wrong type is reported once and ignored. */
function named(name: 'interpreter' | 'path', log: vscode.LogOutputChannel): string {
  const { text, problem } = configuration.program(name);
  if (problem) {
    log.warn(problem);
    void offerSetting(problem, name, vscode.window.showWarningMessage);
  }
  if (text && !vscode.workspace.isTrusted && isWithin(text, configuration.folders())) {
    throw new CannotStart(`The setting ptx-lsp.${name} is a program in this workspace, which is not trusted.`, name);
  }
  return text;
}

async function candidates(log: vscode.LogOutputChannel): Promise<Candidate[]> {
  const set = named('interpreter', log);
  if (set) {
    return [{ program: set, args: [], source: 'setting' }];
  }
  const found: Candidate[] = [];
  const selected = await pythonExtensionsInterpreter();
  if (selected) {
    found.push({ program: selected, args: [], source: 'python extension' });
  }
  const onThePath = namesOnPath(process.platform).flatMap(({ name, args }) =>
    onPath(name, process.env, process.platform).map((program): Candidate => ({ program, args, source: 'PATH' })),
  );
  const allowed = onThePath.filter(({ program }) => vscode.workspace.isTrusted || !isWithin(program, configuration.folders()));
  const scripts = allowed.filter(({ program }) => isScript(program));
  return [...found, ...allowed.filter((one) => !scripts.includes(one)), ...scripts];
}
