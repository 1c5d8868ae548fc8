// The language servers that run for an extension host: found in /proc.
import * as fs from 'node:fs';

/** The processes below one, itself included, that run the extension's server. */
export function languageServers(root) {
  const parents = new Map();
  for (const name of fs.readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const [, , parent] = /^\d+ \(.*\) (\S) (\d+)/s.exec(fs.readFileSync(`/proc/${name}/stat`, 'utf8'));
      parents.set(Number(name), Number(parent));
    } catch {
      // it has just ended
    }
  }
  const isBelow = (pid) => pid === root || (parents.has(pid) && isBelow(parents.get(pid)));
  return [...parents.keys()].filter((pid) => isBelow(pid) && runsServer(pid));
}

function runsServer(pid) {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').some((word) => word.endsWith('/bundled/server.py'));
  } catch {
    return false;
  }
}
