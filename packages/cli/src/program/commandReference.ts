/** Generates `docs/cli.md` from the commands: each with its arguments and options. */
import type { Argument, Command, Option } from 'commander';

/** @returns Markdown: a table of all commands, then a section for each, in the order of `--help` */
export function commandReference(program: Command): string {
  const commands = commandsThatRun(program);
  const rows = commands.map((command) => {
    const name = nameOf(command);
    return `| [\`${name}\`](#${name.replaceAll(' ', '-')}) | ${cell(command.description())} |`;
  });
  const table = ['| Command | Description |', '| --- | --- |', ...rows].join('\n');
  const shared = [
    '## Common options',
    '',
    optionTable([...program.options, ...commonOptions(commands)]),
  ].join('\n');
  return [table, shared, ...commands.map(section)].join('\n\n');
}

/** Commands that only group others cannot be run. */
function commandsThatRun(program: Command): readonly Command[] {
  return program.commands.flatMap((command) => {
    const below = commandsThatRun(command);
    const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0;
    return isGroup && command.options.length === 0 ? below : [command, ...below];
  });
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

/** Options of most commands, which are explained once. */
const COMMON = new Set(['--url', '--json']);

function commonOptions(commands: readonly Command[]): readonly Option[] {
  const all = commands.flatMap(({ options }) => options).filter(({ long }) => COMMON.has(long ?? ''));
  return [...new Map(all.map((option) => [option.long, option])).values()];
}

function section(command: Command): string {
  const own = command.options.filter(({ long }) => !COMMON.has(long ?? ''));
  const shared = command.options.flatMap(({ long }) =>
    long != null && COMMON.has(long) ? [`\`${long}\``] : [],
  );
  const parts = [
    `### ${nameOf(command)}`,
    `${sentence(command.description())}${shared.length > 0 ? ` Takes ${shared.join(' and ')}.` : ''}`,
    ['```text', usageOf(command), '```'].join('\n'),
  ];
  if (command.registeredArguments.length > 0) parts.push(argumentTable(command.registeredArguments));
  if (own.length > 0) parts.push(optionTable(own));
  return parts.join('\n\n');
}

function usageOf(command: Command): string {
  return `${nameOf(command)} ${command.usage()}`.replace(/ \[options\](?= |$)/, ' [OPTIONS]').trim();
}

function argumentTable(args: readonly Argument[]): string {
  const rows = args.map(
    (argument) =>
      `| \`${argument.required ? `<${argument.name()}>` : `[${argument.name()}]`}\` | ${meaning(argument)} |`,
  );
  return ['| Argument | Meaning |', '| --- | --- |', ...rows].join('\n');
}

function optionTable(options: readonly Option[]): string {
  const rows = options.map((option) => `| \`${cell(option.flags)}\` | ${meaning(option)} |`);
  return ['| Option | Meaning |', '| --- | --- |', ...rows].join('\n');
}

/** The description, choices and default. */
function meaning(of: Argument | Option): string {
  const choices =
    of.argChoices === undefined ? '' : ` (${of.argChoices.map((each) => `\`${each}\``).join(', ')})`;
  const given: unknown = of.defaultValueDescription ?? of.defaultValue;
  const isShown = given !== undefined && given !== false && !(Array.isArray(given) && given.length === 0);
  return `${cell(of.description)}${choices}${isShown ? `; default \`${String(given)}\`` : ''}`;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
const cell = (text: string): string => text.replaceAll('|', '\\|');
