import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DEATHS, RestartPolicy, WITHIN } from '../../src/restart';
import { LastWords } from '../../src/server';

/** A policy and a clock that the test turns. */
function policy() {
  const clock = { seconds: 0 };
  return { clock, policy: new RestartPolicy(() => clock.seconds * 1000) };
}

test('a server that dies at start is not started again', () => {
  assert.deepEqual(policy().policy.died(true, 'ModuleNotFoundError: x'), {
    restart: false,
    why: 'The PTX server did not start: ModuleNotFoundError: x',
    short: 'did not start',
  });
  assert.deepEqual(policy().policy.died(true, ''), {
    restart: false,
    why: 'The PTX server did not start.',
    short: 'did not start',
  });
});

test('pauses grow', () => {
  const { policy: here } = policy();
  const pauses = Array.from({ length: DEATHS - 1 }, () => here.died(false, '')).map((one) => one.restart && one.seconds);
  assert.deepEqual(pauses, [1, 2, 4, 8]);
});

test('five times in three minutes are enough', () => {
  const { clock, policy: here } = policy();
  for (let death = 1; death < DEATHS; death++, clock.seconds += 40) {
    assert.equal(here.died(false, '').restart, true);
  }
  assert.deepEqual(here.died(false, 'last words'), {
    restart: false,
    why: 'The PTX server exited 5 times within 3 minutes and is not restarted: last words',
    short: 'exited 5 times within 3 minutes',
  });
});

test('deaths long ago do not count', () => {
  const { clock, policy: here } = policy();
  for (let death = 0; death < 20; death++, clock.seconds += WITHIN / (DEATHS - 1)) {
    assert.equal(here.died(false, '').restart, true);
  }
});

test('a user who starts it again gives it all its chances', () => {
  const { policy: here } = policy();
  for (let death = 1; death < DEATHS; death++) {
    here.died(false, '');
  }
  here.forget();
  assert.deepEqual(here.died(false, ''), { restart: true, seconds: 1 });
});

test('last words', () => {
  const words = new LastWords();
  assert.ok(!words.line);
  words.add('Traceback:\n  File "x"\nOSError: no');
  words.add(' space left\n\n');
  assert.equal(words.line, 'OSError: no space left');
  words.add('x'.repeat(10_000));
  assert.equal(words.line.length, 301);
});
