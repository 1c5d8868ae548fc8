/** Programs on this machine: where they are, and what one answers within a time. */

import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';

import { type Candidate, type Probed, QUESTION, understood } from './interpreter';

/** Seconds that a program has to say its version; a cold disk or a busy machine takes some of them. */
const PATIENCE = 8;

/**
 * Every file with this name in the folders of PATH, in their order.
 *
 * Only absolute folders count: `.` in PATH would let a workspace name the program.
 */
export function onPath(name: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(platform === 'win32' ? ';' : ':');
  const file = platform === 'win32' && !/\.exe$/i.test(name) ? `${name}.exe` : name;
  return folders
    .map((folder) => folder.replace(/^"(.*)"$/, '$1'))
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, file))
    .filter(isProgram);
}

export function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Whether a program is a script, such as the shims of pyenv and asdf.
 *
 * Those start slowly, and one may stand there for a Python that is not installed: real programs are asked first.
 */
export function isScript(file: string): boolean {
  try {
    const handle = fs.openSync(file, 'r');
    try {
      const first = Buffer.alloc(2);
      return fs.readSync(handle, first, 0, 2, 0) === 2 && first.toString('latin1') === '#!';
    } finally {
      fs.closeSync(handle);
    }
  } catch {
    return false;
  }
}

/** Ask a candidate for its version; one that hangs is ended after {@link PATIENCE} seconds. */
export function probe(candidate: Candidate, cwd: string, seconds = PATIENCE): Promise<Probed> {
  if (!isProgram(candidate.program)) {
    return Promise.resolve({ ok: false, reason: whyNoProgram(candidate.program) });
  }
  const args = [...candidate.args, '-I', '-S', '-c', QUESTION];
  return new Promise((resolve) => {
    const child = execFile(
      candidate.program,
      args,
      { cwd, timeout: seconds * 1000, killSignal: 'SIGKILL', windowsHide: true },
      (error, stdout) => {
        if (!error) {
          resolve(understood(stdout, candidate.program));
        } else if (error.killed) {
          resolve({ ok: false, reason: `did not answer within ${seconds} seconds` });
        } else {
          resolve({ ok: false, reason: 'is not a Python that runs' });
        }
      },
    );
    child.stdin?.end();
  });
}

export function whyNoProgram(file: string): string {
  if (!fs.existsSync(file)) {
    return 'does not exist';
  }
  return fs.statSync(file).isDirectory() ? 'is a folder' : 'is not a program';
}
