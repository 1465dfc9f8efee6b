/** Commands that upload collections and follow their jobs. */
import { Argument, type Command } from 'commander';
import { ingest } from '../commands/ingest.ts';
import { changeJob } from '../commands/jobs.ts';
import { status } from '../commands/status.ts';
import type { Context } from '../context.ts';
import { type Choose, integer, jsonOption, urlOption } from './options.ts';

export function addUploadCommands(program: Command, context: Context, choose: Choose): void {
  program
    .command('ingest')
    .description(
      'upload collection files (.json, .json.gz, .zip, or directories of them) and wait for the result',
    )
    .argument('<file...>', 'collection files')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((files, options) => choose(() => ingest(context, files, options)));

  program
    .command('status')
    .description('show the latest uploads and how many nodes and edges the graph has')
    .option('--watch', 'refresh the output every two seconds, until interrupted')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => status(context, options)));

  const job = () => new Argument('<job>', 'number of the upload job').argParser(integer(1, 2 ** 31 - 1));
  program
    .command('cancel')
    .description('cancel an upload job that is open or is being ingested')
    .addArgument(job())
    .addOption(urlOption())
    .action((id, options) => choose(() => changeJob(context, 'cancel', id, options)));
  program
    .command('retry')
    .description('retry a failed upload job; its files are kept for seven days')
    .addArgument(job())
    .addOption(urlOption())
    .action((id, options) => choose(() => changeJob(context, 'retry', id, options)));
}
