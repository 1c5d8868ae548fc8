/** What is started: an installed `ptx-lsp`, or the bundled one on the Python that was found. */

/** A process to start. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** What the status item says of it. */
  readonly description: string;
}

/** An installed server, from the setting `ptx-lsp.path`. */
export function installed(program: string): Command {
  return { program, args: ['--stdio'], description: program };
}

/**
 * The bundled server.
 *
 * `-I`: the user's PYTHONPATH, PYTHONHOME and packages cannot get between the server and its libraries, nor can a
 * file of the current folder. `-S`: nothing from that Python's site-packages is needed, and `.pth` files cost time.
 * `-X utf8` is PYTHONUTF8 for a Python that reads no variables.
 */
export function bundled(interpreter: { program: string; version: string }, script: string): Command {
  return {
    program: interpreter.program,
    args: ['-I', '-S', '-X', 'utf8', script, '--stdio'],
    description: `Python ${interpreter.version}`,
  };
}

/** The last line of what a process wrote to standard error, for a sentence to the user. */
export class LastWords {
  private tail = '';

  add(text: string): void {
    this.tail = (this.tail + text).slice(-4000);
  }

  /** All that is kept: the end of it. */
  get all(): string {
    return this.tail.trim();
  }

  get line(): string {
    const lines = this.all.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
    const last = lines.at(-1) ?? '';
    return last.length > 300 ? `${last.slice(0, 300)}…` : last;
  }
}
