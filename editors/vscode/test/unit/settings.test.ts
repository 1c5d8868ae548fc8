import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';

import { bundled, installed } from '../../src/server';
import { chosen, expanded, isWithin, OWN_SETTINGS, textSetting } from '../../src/settings';

test('a setting of the wrong type is ignored and reported', () => {
  assert.deepEqual(textSetting('path', 5), {
    text: '',
    problem: 'The setting ptx-lsp.path must be a string, not 5; it is ignored.',
  });
  assert.match(textSetting('path', ['a']).problem ?? '', /must be a string, not \["a"\]/);
});

test('unset and empty are the same', () => {
  assert.deepEqual([undefined, null, '', ' '].map((value) => textSetting('path', value)), Array(4).fill({ text: '' }));
});

test('variables in paths', { skip: process.platform === 'win32' && 'paths of other systems' }, () => {
  const variables = { home: '/home/me', folders: ['/src/one', '/src/two'], env: { VENV: '/venv' } };
  const paths = ['~/p', '${userHome}/p', '${workspaceFolder}/p', '${env:VENV}/bin/p', 'bin/p', '/p', '${env:NO}/p', '~other/p'];
  assert.deepEqual(paths.map((text) => expanded(text, variables)), [
    '/home/me/p', '/home/me/p', '/src/one/p', '/venv/bin/p', '/src/one/bin/p', '/p', '/p', '/src/one/~other/p',
  ]);
  assert.equal(expanded('p', { ...variables, folders: [] }), '/home/me/p');
});

test('what lies in the workspace', () => {
  const folders = [path.resolve('/src/one')];
  assert.equal(isWithin(path.resolve('/src/one/bin/python'), folders), true);
  assert.equal(isWithin(path.resolve('/src/one-more/python'), folders), false);
  assert.equal(isWithin(path.resolve('/usr/bin/python3'), folders), false);
});

test('the server gets what somebody set, and no defaults', () => {
  const none = [undefined, undefined, undefined];
  const settings = [
    { key: 'target', value: 'sm_90a', levels: [undefined, 'sm_90a', undefined] },
    { key: 'inlayHints.masks', value: false, levels: [false, undefined, undefined] },
    { key: 'inlayHints.literals', value: true, levels: none },
    { key: 'format.indent', value: 0, levels: none },
  ];
  assert.deepEqual(chosen(settings), { target: 'sm_90a', inlayHints: { masks: false } });
});

test('our own settings are those that are not generated', () => {
  const [own] = JSON.parse(fs.readFileSync('package.json', 'utf8')).contributes.configuration;
  assert.deepEqual(Object.keys(own.properties), OWN_SETTINGS.map((name) => `ptx-lsp.${name}`));
});

test('settings that name programs do not come from a workspace that is not trusted', () => {
  const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8'));
  const [own] = manifest.contributes.configuration;
  const programs = Object.keys(own.properties).filter((name) => own.properties[name].scope === 'machine-overridable');
  assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.sort(), programs.sort());
});

test('what is started', () => {
  assert.deepEqual(installed('/bin/ptx-lsp').args, ['--stdio']);
  const command = bundled({ program: '/usr/bin/python3', version: '3.11.2' }, '/x/server.py');
  assert.deepEqual([command.program, ...command.args], ['/usr/bin/python3', '-I', '-S', '-X', 'utf8', '/x/server.py', '--stdio']);
});
