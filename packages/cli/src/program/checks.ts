/** Commands about custom checks. */
import type { Command } from 'commander';
import {
  checks,
  exportChecks,
  removeCheck,
  saveChecks,
  showCheck,
  switchCheck,
  testChecks,
} from '../commands/checks.ts';
import type { Context } from '../context.ts';
import { type Choose, collect, integer, jsonOption, urlOption } from './options.ts';

export function addCheckCommands(program: Command, context: Context, choose: Choose): void {
  program
    .command('checks')
    .description('list custom checks and the results of their last runs (docs/checks.md)')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => checks(context, options)));

  const check = program
    .command('check')
    .description('manage custom checks: queries that report objects as findings');
  check
    .command('save')
    .description('save checks from files, or replace checks with the same names')
    .argument('<file...>', 'files of checks, or directories of them')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((files, options) => choose(() => saveChecks(context, files, options)));
  check
    .command('test')
    .description('show the objects that checks would find, without saving the checks')
    .argument('<file...>', 'files of checks, or directories of them')
    .option(
      '--against <file>',
      'collection against which to run them, on a temporary service; repeatable',
      collect,
    )
    .option(
      '--expect <number>',
      'fail unless they find exactly this number of objects in total',
      integer(0, 100_000_000),
    )
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((files, options) => choose(() => testChecks(context, files, options)));
  check
    .command('export')
    .description('write all checks of the organization as files, one each')
    .argument('<directory>', 'directory to write to')
    .addOption(urlOption())
    .action((directory, options) => choose(() => exportChecks(context, directory, options)));
  check
    .command('show')
    .description('print a check as a file')
    .argument('<name>', 'name of the check')
    .addOption(urlOption())
    .action((name, options) => choose(() => showCheck(context, name, options)));
  for (const [word, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const)
    check
      .command(word)
      .description(enabled ? 'run a check again' : 'keep a check, but do not run it; its findings close')
      .argument('<name>', 'name of the check')
      .addOption(urlOption())
      .action((name, options) => choose(() => switchCheck(context, name, enabled, options)));
  check
    .command('remove')
    .description('remove a check; its findings close')
    .argument('<name>', 'name of the check')
    .addOption(urlOption())
    .action((name, options) => choose(() => removeCheck(context, name, options)));
}
