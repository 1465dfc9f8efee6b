/** Commands about collectors: clients, jobs, schedules. */
import { Argument, type Command } from 'commander';
import { addClient, clients, collectNow, removeClient, rotateClient } from '../commands/clients.ts';
import { cancelCollectorJob, collectorJobs, jobLog } from '../commands/collectorJobs.ts';
import { addSchedule, listSchedules, removeSchedule } from '../commands/schedules.ts';
import type { Context } from '../context.ts';
import { type Choose, integer, jsonOption, list, urlOption } from './options.ts';

/** What a run collects, and where. */
const scoped = (command: Command): Command =>
  command
    .option(
      '--what <parts>',
      'of structure, local-groups, sessions, certificates, ca-registry, dc-registry; all when absent',
      list,
    )
    .option('--domains <ids>', 'only these domains or tenants, by object id', list)
    .option('--ous <ids>', 'only these organizational units, by object id', list)
    .option('--all-trusted-domains', 'all domains that trust each other')
    .addOption(urlOption());

export function addCollectorCommands(program: Command, context: Context, choose: Choose): void {
  const name = () => new Argument('<client>', 'name or id of the collector client');
  const job = () => new Argument('<job>', 'number of the job').argParser(integer(1, 2 ** 31 - 1));
  program
    .command('clients')
    .description('list collector clients, and when they were last heard of')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => clients(context, options)));

  const client = program.command('client').description('register collectors, and let them collect');
  client
    .command('add')
    .description('register a collector; its token is shown once')
    .argument('<name>', 'what it is called here')
    .requiredOption('--type <type>', 'sharphound, azurehound or openhound')
    .option('--domain-controller <name>', 'asks this domain controller')
    .addOption(urlOption())
    .action((who, options) => choose(() => addClient(context, who, options)));
  client
    .command('rotate')
    .description('replace the token of a collector; the old one ends at once')
    .addArgument(name())
    .addOption(urlOption())
    .action((who, options) => choose(() => rotateClient(context, who, options)));
  client
    .command('remove')
    .description('remove a collector with its token, its schedules and its waiting jobs')
    .addArgument(name())
    .addOption(urlOption())
    .action((who, options) => choose(() => removeClient(context, who, options)));
  scoped(client.command('collect'))
    .description('ask a collector to collect now')
    .addArgument(name())
    .action((who, options) => choose(() => collectNow(context, who, options)));
  client
    .command('cancel')
    .description('cancel a job of a collector that waits or runs; nothing of it is kept')
    .addArgument(job())
    .addOption(urlOption())
    .action((id, options) => choose(() => cancelCollectorJob(context, id, options)));

  program
    .command('jobs')
    .description('list jobs of collectors, the newest first')
    .option('--client <name>', 'only of this client')
    .option('--limit <number>', 'at most so many', integer(1, 1_000), 20)
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => collectorJobs(context, options)));
  program
    .command('job-log')
    .description('print the log of a job of a collector')
    .addArgument(job())
    .option('--follow', 'go on until the job is over')
    .addOption(urlOption())
    .action((id, options) => choose(() => jobLog(context, id, options)));

  const schedule = program.command('schedule').description('when collectors run');
  schedule
    .command('list')
    .description('list schedules')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => listSchedules(context, options)));
  scoped(schedule.command('add'))
    .description('let a collector collect by a schedule')
    .addArgument(name())
    .argument('<rule>', 'hourly, daily, weekly, monthly, or a rule of RFC 5545 as FREQ=HOURLY;INTERVAL=7')
    .option('--start <time>', 'first run, as in 2026-12-01T02:30; now when absent')
    .option('--zone <name>', 'time zone of the start, as in Europe/Berlin; UTC when absent')
    .action((who, rule, options) => choose(() => addSchedule(context, who, rule, options)));
  schedule
    .command('remove')
    .description('remove a schedule')
    .addArgument(new Argument('<id>', 'as "clew schedule list" shows it').argParser(integer(1, 2 ** 31 - 1)))
    .addOption(urlOption())
    .action((id, options) => choose(() => removeSchedule(context, id, options)));
}
