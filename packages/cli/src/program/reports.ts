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
    .description('manage reports that the service stores and updates');
  reports
    .command('list', { isDefault: true })
    .description('list reports, newest first')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => listReports(context, options)));
  reports
    .command('create')
    .description('create a report, and update it on a schedule')
    .argument('<name>', 'name of the report')
    .addOption(new Option('--for <readers>', 'its audience').choices(REPORT_AUDIENCES).default('management'))
    .option('--environment <name>', 'report only this environment: name or object ID')
    .addOption(new Option('--zone <name>', 'name or number of the zone (default: Tier Zero)'))
    .option('--days <number>', 'number of days in its trend', integer(1, 3650), 30)
    .option('--masked', 'store pseudonyms instead of names')
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
    .description('print the latest issue of a report')
    .argument('<id>', 'number of the report', number)
    .option('--issue <number>', 'an earlier issue, by its number in --json', number)
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((id, options) => choose(() => showReport(context, id, options)));
  reports
    .command('make')
    .description('generate a report again now')
    .argument('<id>', 'number of the report', number)
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((id, options) => choose(() => makeReport(context, id, options)));
  reports
    .command('schedule')
    .description('change the schedule of a report')
    .argument('<id>', 'number of the report', number)
    .addArgument(new Argument('<schedule>', 'new schedule').choices(REPORT_SCHEDULES))
    .addOption(urlOption())
    .action((id, schedule, options) => choose(() => scheduleReport(context, id, schedule, options)));
  reports
    .command('delete')
    .description('delete a report with all its issues')
    .argument('<id>', 'number of the report', number)
    .addOption(urlOption())
    .action((id, options) => choose(() => deleteReport(context, id, options)));
}
