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
    .description('extensions: definitions of other platforms, alone or as bundles (docs/extensions.md)');
  extension
    .command('list')
    .description('list extensions, the built-in ones among them')
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
    .description('install a definition or a bundle, or replace the one of the same name')
    .argument('<path>', 'definition (JSON), zip archive, or directory')
    .option('--dry-run', 'show what it would do to the newest analysis, and change nothing')
    .option('--wait <seconds>', 'seconds that it may take; 300 when absent', integer(1, 3600))
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((path, options) =>
      choose(async () => (await installed()).installExtension(context, path, options)),
    );
  extension
    .command('remove')
    .description('remove an extension with all that it brought; its data stays')
    .argument('<name>', 'name, schema name, namespace or number of the extension')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((name, options) =>
      choose(async () => (await installed()).removeExtension(context, name, options)),
    );
  extension
    .command('scaffold')
    .description('write a definition from stored data: the first file of an author')
    .requiredOption('--from-data <source>', 'source kind of the data, as OktaBase')
    .option('--namespace <name>', 'what the names of kinds begin with; that of most kinds when absent')
    .option('--out <file>', 'file to write, which must not exist; standard output when absent')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => scaffoldExtension(context, options)));
  extension
    .command('check')
    .description('check a definition or a bundle without a service; fails when it has faults')
    .argument('<path>', 'definition (JSON), zip archive, or directory')
    .option('--data <file>', 'payload of the platform, to see what of it is covered; repeatable', collect)
    .option('--with <path>', 'definition of another extension that it refers to; repeatable', collect)
    .option('--zone <name>', 'zone that its rules name, in addition to Tier Zero; repeatable', collect)
    .option('--strict', 'fail where there are warnings, too')
    .addOption(jsonOption())
    .action((path, options) => choose(async () => (await checking()).checkExtension(context, path, options)));
  extension
    .command('test')
    .description('run the tests of a bundle on a service that goes away again; fails when one fails')
    .argument('<path>', 'definition (JSON), zip archive, or directory')
    .option('--with <path>', 'definition of another extension that it refers to; repeatable', collect)
    .option('--only <text>', 'run the tests whose names contain it')
    .addOption(jsonOption())
    .action((path, options) => choose(async () => (await testing()).testExtension(context, path, options)));
}
