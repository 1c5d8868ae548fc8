/** Which Python runs the server: the one that the user set, the Python extension's, else the newest on PATH. */

/** The oldest Python that the server runs on; `requires-python` of pyproject.toml, which a test compares. */
export const OLDEST = [3, 11] as const;

/** One thing to try. */
export interface Candidate {
  /** The program, by its absolute path. */
  readonly program: string;
  /** What stands before the server's own arguments, such as `-3` for Windows' `py`. */
  readonly args: readonly string[];
  /** Where it comes from. */
  readonly source: 'setting' | 'python extension' | 'PATH';
}

/** What a candidate said of itself. */
export type Probed =
  | { readonly ok: true; readonly version: readonly number[]; readonly program: string }
  | { readonly ok: false; readonly reason: string };

/** A Python that the server can run on. */
export interface Interpreter {
  /** The interpreter itself, not the shim or launcher that led to it. */
  readonly program: string;
  /** Such as `3.12.4`. */
  readonly version: string;
  readonly source: Candidate['source'];
}

/** Why there is none. */
export interface NoInterpreter {
  /** One sentence for the user: what is wrong and what to do. */
  readonly message: string;
  /** What was tried, a line each, for the output channel. */
  readonly tried: readonly string[];
}

export type Search = { readonly found: Interpreter; readonly tried: readonly string[] } | NoInterpreter;

/** The names that a Python may have on PATH, best first. */
export function namesOnPath(platform: NodeJS.Platform): Array<{ name: string; args: string[] }> {
  const plain = ['python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3', 'python'];
  const names = plain.map((name) => ({ name, args: [] as string[] }));
  return platform === 'win32' ? [{ name: 'py', args: ['-3'] }, ...names.slice(4)] : names;
}

/** What is printed by a Python that is asked for its version and its own path. */
export const QUESTION =
  "import sys; print('.'.join(map(str, sys.version_info[:3]))); print(getattr(sys, '_base_executable', '') and sys.executable)";

/** The answer to {@link QUESTION}, or why it is none. */
export function understood(answer: string, program: string): Probed {
  const [version = '', executable = ''] = answer.split(/\r?\n/);
  const numbers = /^(\d+)\.(\d+)\.(\d+)$/.exec(version.trim());
  if (!numbers) {
    return { ok: false, reason: 'is not a Python' };
  }
  return { ok: true, version: numbers.slice(1).map(Number), program: executable.trim() || program };
}

export function isNewEnough(version: readonly number[]): boolean {
  const [major = 0, minor = 0] = version;
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/**
 * The first candidate that is a Python of the right age.
 *
 * What the user set is the only thing tried: another interpreter in its place would hide the mistake.
 */
export async function search(
  candidates: Iterable<Candidate>,
  probe: (candidate: Candidate) => Promise<Probed>,
): Promise<Search> {
  const tried: string[] = [];
  const old: string[] = [];
  for (const candidate of candidates) {
    const said = await probe(candidate);
    const name = [candidate.program, ...candidate.args].join(' ');
    if (!said.ok) {
      tried.push(`${name} (${candidate.source}): ${said.reason}`);
      if (candidate.source === 'setting') {
        return { message: `The setting ptx-lsp.interpreter is '${name}', which ${said.reason}.`, tried };
      }
      continue;
    }
    const version = said.version.join('.');
    tried.push(`${name} (${candidate.source}): Python ${version}`);
    if (isNewEnough(said.version)) {
      return { found: { program: said.program, version, source: candidate.source }, tried };
    }
    old.push(version);
    if (candidate.source === 'setting') {
      const message = `The setting ptx-lsp.interpreter is '${name}' with Python ${version}, but ${wanted()} is needed.`;
      return { message, tried };
    }
  }
  const message = old.length
    ? `PTX needs ${wanted()}, but only Python ${[...new Set(old)].join(', ')} was found: install a newer one or set its path.`
    : `PTX needs ${wanted()}, which was not found: install it or set its path.`;
  return { message, tried };
}

function wanted(): string {
  return `Python ${OLDEST.join('.')} or newer`;
}
