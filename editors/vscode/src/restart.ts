/** When a server that died is started again: after a pause, and not for ever. */

/** So many deaths… */
export const DEATHS = 5;
/** …within so many seconds are enough. */
export const WITHIN = 180;
/** Seconds before the first new start; doubled with each death that counts. */
const PAUSE = 1;

export type Verdict = { readonly restart: true; readonly seconds: number } | { readonly restart: false; readonly why: string; readonly short: string };

/** Remembers when the server died. */
export class RestartPolicy {
  private deaths: number[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  /**
   * The server exited unexpectedly.
   *
   * @param atStart it never answered: starting it again would end the same way.
   * @param lastWords the last line that it wrote to standard error.
   */
  died(atStart: boolean, lastWords: string): Verdict {
    const words = lastWords ? `: ${lastWords}` : '.';
    if (atStart) {
      return { restart: false, why: `The PTX server did not start${words}`, short: 'did not start' };
    }
    const now = this.now();
    this.deaths = [...this.deaths.filter((then) => now - then < WITHIN * 1000), now];
    if (this.deaths.length >= DEATHS) {
      this.forget();
      const often = `exited ${DEATHS} times within ${WITHIN / 60} minutes`;
      return { restart: false, why: `The PTX server ${often} and is not restarted${words}`, short: often };
    }
    return { restart: true, seconds: PAUSE * 2 ** (this.deaths.length - 1) };
  }

  /** The user starts the server: it has all its chances again. */
  forget(): void {
    this.deaths = [];
  }
}
