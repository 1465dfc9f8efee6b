/** The commands of the program, by whether they print JSON. */
import { tmpdir } from 'node:os';
import type { Command } from 'commander';
import type { Context } from '../src/context.ts';
import { buildProgram } from '../src/program/program.ts';
import { testScreen } from './testScreen.ts';

/** @returns names of the commands with `--json`, and of those without it; a command that only groups others is in neither list */
export function jsonCommands(): { readonly withJson: string[]; readonly without: string[] } {
  const all = commands(program());
  const named = (isJson: boolean): string[] =>
    all.filter(({ hasJson }) => hasJson === isJson).map(({ name }) => name);
  return { withJson: named(true), without: named(false) };
}

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

/** A command that only groups others has no options. */
function commands(of: Command, before = ''): { readonly name: string; readonly hasJson: boolean }[] {
  return of.commands.flatMap((command) => {
    const name = `${before}${command.name()}`;
    const isGroup =
      command.commands.length > 0 && command.options.length === 0 && command.registeredArguments.length === 0;
    const hasJson = command.options.some(({ long }) => long === '--json');
    return [...(isGroup ? [] : [{ name, hasJson }]), ...commands(command, `${name} `)];
  });
}
