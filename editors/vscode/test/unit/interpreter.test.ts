import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { after, before, describe, test } from 'node:test';

import { type Candidate, namesOnPath, OLDEST, type Probed, search, understood } from '../../src/interpreter';
import { isScript, onPath, probe } from '../../src/programs';

const from = (source: Candidate['source'], program: string): Candidate => ({ program, args: [], source });
const python = (...version: number[]): Probed => ({ ok: true, version, program: '/real/python' });
const broken: Probed = { ok: false, reason: 'is not a Python that runs' };

/** A search among candidates that say what `said` says. */
async function find(said: Record<string, Probed>, source: Candidate['source'] = 'PATH') {
  const asked: string[] = [];
  const candidates = Object.keys(said).map((program) => from(source, program));
  const outcome = await search(candidates, async ({ program }) => {
    asked.push(program);
    return said[program] as Probed;
  });
  return { asked, outcome, message: 'message' in outcome ? outcome.message : undefined };
}

describe('search', () => {
  test('the first Python that is new enough', async () => {
    const { asked, outcome } = await find({ a: broken, b: python(3, 10, 2), c: python(3, 12, 1), d: python(3, 13, 0) });
    assert.deepEqual(asked, ['a', 'b', 'c']);
    assert.deepEqual('found' in outcome && outcome.found, { program: '/real/python', version: '3.12.1', source: 'PATH' });
    assert.equal(outcome.tried.length, 3);
  });

  test('none', async () => {
    const { message } = await find({ a: broken });
    assert.equal(message, 'PTX needs Python 3.11 or newer, which was not found: install it or set its path.');
    assert.equal((await find({})).message, message);
  });

  test('only old ones', async () => {
    const { message } = await find({ a: python(3, 9, 6), b: python(2, 7, 18), c: python(3, 9, 6) });
    assert.equal(
      message,
      'PTX needs Python 3.11 or newer, but only Python 3.9.6, 2.7.18 was found: install a newer one or set its path.',
    );
  });

  test('what the user set is not replaced in silence', async () => {
    const old = await find({ a: python(3, 10, 1), b: python(3, 12, 1) }, 'setting');
    assert.deepEqual(old.asked, ['a']);
    assert.equal(old.message, "The setting ptx-lsp.interpreter is 'a' with Python 3.10.1, but Python 3.11 or newer is needed.");
    const none = await find({ a: { ok: false, reason: 'does not exist' } }, 'setting');
    assert.equal(none.message, "The setting ptx-lsp.interpreter is 'a', which does not exist.");
  });

  test('a Python 4 would do', async () => {
    assert.ok('found' in (await find({ a: python(4, 0, 0) })).outcome);
  });
});

describe('what a program answers', () => {
  test('a Python', () => {
    assert.deepEqual(understood('3.12.4\r\nC:\\Python\\python.exe\r\n', 'py'), {
      ok: true,
      version: [3, 12, 4],
      program: 'C:\\Python\\python.exe',
    });
  });

  test('something else', () => {
    for (const answer of ['', 'Python was not found; run without arguments to install', '3.12', 'usage: …\n']) {
      assert.deepEqual(understood(answer, 'x'), { ok: false, reason: 'is not a Python' });
    }
  });
});

test('names on PATH', () => {
  assert.deepEqual(
    namesOnPath('linux').map(({ name }) => name),
    ['python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3', 'python'],
  );
  assert.deepEqual(
    namesOnPath('win32').map(({ name, args }) => [name, ...args].join(' ')),
    ['py -3', 'python3', 'python'],
  );
});

test('the oldest Python is the one that ptx-lsp asks for', () => {
  const project = fs.readFileSync('../../pyproject.toml', 'utf8');
  assert.match(project, new RegExp(`^requires-python = ">=${OLDEST.join('\\.')}"`, 'm'));
});

describe('programs', { skip: process.platform === 'win32' && 'shell scripts stand in for Pythons' }, () => {
  let folder: string;
  const program = (name: string, text: string): string => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return file;
  };
  const ask = (file: string, seconds?: number): Promise<Probed> => probe(from('PATH', file), folder, seconds);

  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ptx-programs-'));
  });
  after(() => fs.rmSync(folder, { recursive: true }));

  test('one that answers', async () => {
    const file = program('good', 'echo 3.11.2; echo /usr/bin/python3.11');
    assert.deepEqual(await ask(file), { ok: true, version: [3, 11, 2], program: '/usr/bin/python3.11' });
  });

  test('one that fails', async () => {
    assert.deepEqual(await ask(program('bad', 'echo 3.12.0; exit 127')), broken);
  });

  test('one that hangs is ended', async () => {
    const started = Date.now();
    assert.deepEqual(await ask(program('slow', 'exec sleep 30'), 0.3), {
      ok: false,
      reason: 'did not answer within 0.3 seconds',
    });
    assert.ok(Date.now() - started < 10_000);
  });

  test('what is no program', async () => {
    fs.writeFileSync(path.join(folder, 'text'), 'no program', { mode: 0o644 });
    const reason = async (name: string): Promise<unknown> => ask(path.join(folder, name));
    assert.deepEqual(await reason('missing'), { ok: false, reason: 'does not exist' });
    assert.deepEqual(await reason('.'), { ok: false, reason: 'is a folder' });
    if (process.getuid?.() !== 0) {
      assert.deepEqual(await reason('text'), { ok: false, reason: 'is not a program' });
    }
  });

  test('only absolute folders of PATH count', () => {
    const file = program('python3', 'exit');
    const relative = path.relative(process.cwd(), folder);
    assert.deepEqual(onPath('python3', { PATH: ['.', relative, '', folder].join(':') }, 'linux'), [file]);
    assert.deepEqual(onPath('python3', {}, 'linux'), []);
  });

  test('scripts are told from programs', () => {
    assert.equal(isScript(program('shim', 'exit')), true);
    assert.equal(isScript(process.execPath), false);
    assert.equal(isScript(path.join(folder, 'missing')), false);
  });
});
