/** Commands about extensions: definitions of other platforms. */
import type { Command } from 'commander';
import { scaffoldExtension } from '../commands/extensions/scaffold.ts';
import type { Context } from '../context.ts';
import { type Choose, collect, integer, jsonOption, urlOption } from './options.ts';

// Loaded on demand, because the code of the service takes longer to load than most commands to run.
const checking = () => import('../commands/extensions/check.ts');
const testing = () => import('../commands/extensions/test.ts');
const installed = () => import('../commands/extensions/installed.ts');

export function addExtensionCommands(program: Command, context: Context, choose: Choose): void {
  const extension = program
    .command('extension')
    .description(
      'manage extensions: definitions of other platforms, alone or as bundles (docs/extensions.md)',
    );
  extension
    .command('list')
    .description('list extensions, including the built-in ones')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(async () => (await installed()).listExtensions(context, options)));
  extension
    .command('show')
    .description('show kinds and derived relationships of an extension')
    .argument('<name>', 'name, schema name, namespace or number of the extension')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((name, options) => choose(async () => (await installed()).showExtension(context, name, options)));
  extension
    .command('install')
    .description('install a definition or a bundle, or replace the one with the same name')
    .argument('<path>', 'definition (JSON), zip archive, or directory')
    .option('--dry-run', 'show its effect on the latest analysis, without changing anything')
    .option('--wait <seconds>', 'maximum seconds to wait (default: 300)', integer(1, 3600))
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((path, options) =>
      choose(async () => (await installed()).installExtension(context, path, options)),
    );
  extension
    .command('remove')
    .description('remove an extension and everything that it defines; its data is kept')
    .argument('<name>', 'name, schema name, namespace or number of the extension')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((name, options) =>
      choose(async () => (await installed()).removeExtension(context, name, options)),
    );
  extension
    .command('scaffold')
    .description('create a draft definition from stored data')
    .requiredOption('--from-data <source>', 'source kind of the data, such as OktaBase')
    .option('--namespace <name>', 'prefix of the kind names (default: the prefix of most kinds)')
    .option('--out <file>', 'file to write, which must not exist (default: standard output)')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => scaffoldExtension(context, options)));
  extension
    .command('check')
    .description('check a definition or a bundle without a service; fails if it has errors')
    .argument('<path>', 'definition (JSON), zip archive, or directory')
    .option(
      '--data <file>',
      'payload of the platform, to show how much of it is covered; repeatable',
      collect,
    )
    .option('--with <path>', 'definition of another extension that it refers to; repeatable', collect)
    .option('--zone <name>', 'zone that its rules use, in addition to Tier Zero; repeatable', collect)
    .option('--strict', 'also fail if there are warnings')
    .addOption(jsonOption())
    .action((path, options) => choose(async () => (await checking()).checkExtension(context, path, options)));
  extension
    .command('test')
    .description('run the tests of a bundle on a temporary service; fails if a test fails')
    .argument('<path>', 'definition (JSON), zip archive, or directory')
    .option('--with <path>', 'definition of another extension that it refers to; repeatable', collect)
    .option('--only <text>', 'run the tests whose names contain it')
    .addOption(jsonOption())
    .action((path, options) => choose(async () => (await testing()).testExtension(context, path, options)));
}
