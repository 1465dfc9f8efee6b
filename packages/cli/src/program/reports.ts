/** Commands about stored reports. */
import { REPORT_AUDIENCES, REPORT_SCHEDULES } from '@clew/api';
import { Argument, type Command, Option } from 'commander';
import {
  createReport,
  deleteReport,
  listReports,
  makeReport,
  scheduleReport,
  showReport,
} from '../commands/reports.ts';
import type { Context } from '../context.ts';
import { type Choose, integer, jsonOption, urlOption } from './options.ts';

const number = integer(1, 2 ** 31 - 1);

export function addReportCommands(program: Command, context: Context, choose: Choose): void {
  const reports = program
    .command('reports')
    .description('manage reports that the service keeps and makes again');
  reports
    .command('list', { isDefault: true })
    .description('list them, the newest first')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => listReports(context, options)));
  reports
    .command('create')
    .description('keep a report, and make it again on a schedule')
    .argument('<name>', 'name of the report')
    .addOption(new Option('--for <readers>', 'its readers').choices(REPORT_AUDIENCES).default('management'))
    .option('--environment <name>', 'report only this environment: name or object id')
    .addOption(new Option('--zone <name>', 'name or number of the zone; Tier Zero when absent'))
    .option('--days <number>', 'number of days of its trend', integer(1, 3650), 30)
    .option('--masked', 'keep pseudonyms instead of names')
    .addOption(
      new Option('--schedule <schedule>', 'weekly (Mondays) or monthly (the first day), at 06:00 UTC')
        .choices(REPORT_SCHEDULES)
        .default('none'),
    )
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((name, options) => choose(() => createReport(context, name, options)));
  reports
    .command('show')
    .description('print what was made of a report last')
    .argument('<id>', 'number of the report', number)
    .option('--issue <number>', 'an earlier issue, by its number in --json', number)
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((id, options) => choose(() => showReport(context, id, options)));
  reports
    .command('make')
    .description('make a report again now')
    .argument('<id>', 'number of the report', number)
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((id, options) => choose(() => makeReport(context, id, options)));
  reports
    .command('schedule')
    .description('change the schedule of a report')
    .argument('<id>', 'number of the report', number)
    .addArgument(new Argument('<schedule>', 'when it is made').choices(REPORT_SCHEDULES))
    .addOption(urlOption())
    .action((id, schedule, options) => choose(() => scheduleReport(context, id, schedule, options)));
  reports
    .command('delete')
    .description('delete a report with all that was made of it')
    .argument('<id>', 'number of the report', number)
    .addOption(urlOption())
    .action((id, options) => choose(() => deleteReport(context, id, options)));
}
