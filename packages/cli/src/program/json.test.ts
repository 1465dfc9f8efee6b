/** Every command prints JSON for programs, unless it makes and shows nothing that a program would read. */
import { tmpdir } from 'node:os';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import type { Context } from '../context.ts';
import { testScreen } from '../testing/testScreen.ts';
import { buildProgram } from './program.ts';

/** Commands without `--json`, by the reason; a command that makes something has no place here. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  'runs until it is stopped, or talks to a person': [
    'serve',
    'mcp',
    'demo',
    'login',
    'logout',
    'plan review',
  ],
  'writes files, or a text of its own form': [
    ...['export', 'report', 'generate', 'completion', 'check export', 'check show', 'job-log'],
    ...['collect', 'collect-entra'],
  ],
  'changes what there is, and its exit code says whether it did': [
    ...['saved-query change', 'saved-query share', 'saved-query unshare', 'saved-query watch'],
    ...['plans mark', 'plans assign', 'findings assign', 'reports schedule', 'check enable', 'check disable'],
    ...[
      'user disable',
      'user enable',
      'user password',
      'user mfa',
      'admin reset-password',
      'retry',
      'sso test',
    ],
  ],
  'ends or removes something': [
    ...['cancel', 'saved-query remove', 'saved-query unwatch', 'plan constraints remove', 'plans delete'],
    ...['reports delete', 'check remove', 'user remove', 'token revoke', 'sso remove', 'client remove'],
    ...['client cancel', 'schedule remove', 'webhook remove'],
  ],
};

function program(): Command {
  const { screen } = testScreen();
  const context: Context = {
    ...{ env: {}, out: screen, err: screen, directory: tmpdir() },
    signal: new AbortController().signal,
    askSecret: async () => '',
    withQuestions: (use) => use(async () => undefined),
    readInput: async () => '',
  };
  return buildProgram(context, () => {});
}

/** Names of all commands that have `--json`, or that have it not; a command that only groups others has no options. */
function commands(of: Command, isJson: boolean, before = ''): string[] {
  return of.commands.flatMap((command) => {
    const name = `${before}${command.name()}`;
    const isGroup =
      command.commands.length > 0 && command.options.length === 0 && command.registeredArguments.length === 0;
    const hasJson = command.options.some(({ long }) => long === '--json');
    return [...(isGroup || hasJson !== isJson ? [] : [name]), ...commands(command, isJson, `${name} `)];
  });
}

it('every command has --json, or is known to make nothing', () => {
  expect(commands(program(), false).sort()).toEqual(Object.values(WITHOUT).flat().sort());
});

it.each([
  ...['token add', 'client add', 'client rotate', 'client collect', 'user add', 'user reset-password'],
  ...['webhook add', 'webhook test', 'plans adopt', 'plan constraints add', 'reports create', 'reports make'],
  ...['saved-query add', 'schedule add', 'sso add', 'check save', 'extension install', 'ingest'],
])('%s, which makes something, has --json', (name) => {
  expect(commands(program(), true)).toContain(name);
});
