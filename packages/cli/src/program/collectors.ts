/** Commands about collectors: clients, jobs, schedules. */
import { Argument, type Command } from 'commander';
import { addClient, clients, collectNow, removeClient, rotateClient } from '../commands/clients.ts';
import { cancelCollectorJob, collectorJobs, jobLog } from '../commands/collectorJobs.ts';
import { addSchedule, listSchedules, removeSchedule } from '../commands/schedules.ts';
import type { Context } from '../context.ts';
import { type Choose, integer, jsonOption, list, urlOption } from './options.ts';

/** Options for the data and scope of a run. */
const scoped = (command: Command): Command =>
  command
    .option(
      '--what <parts>',
      'what to collect: structure, local-groups, sessions, certificates, ca-registry, dc-registry (default: everything)',
      list,
    )
    .option('--domains <ids>', 'collect only these domains or tenants: object IDs, comma-separated', list)
    .option('--ous <ids>', 'collect only these organizational units: object IDs, comma-separated', list)
    .option('--all-trusted-domains', 'collect all trusted domains')
    .addOption(urlOption());

export function addCollectorCommands(program: Command, context: Context, choose: Choose): void {
  const name = () => new Argument('<client>', 'name or ID of the collector client');
  const job = () => new Argument('<job>', 'number of the collection').argParser(integer(1, 2 ** 31 - 1));
  program
    .command('clients')
    .description('list collector clients with the time of their last contact')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => clients(context, options)));

  const client = program.command('client').description('manage collector clients');
  client
    .command('add')
    .description('register a collector client; its token is shown once')
    .argument('<name>', 'name of the client')
    .requiredOption('--type <type>', 'sharphound, azurehound, openhound, or clew ("clew collector run")')
    .option('--domain-controller <name>', 'domain controller that the collector uses')
    .option(
      '--token-file <file>',
      'write the token to this new file, which only you can read, instead of printing it',
    )
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((who, options) => choose(() => addClient(context, who, options)));
  client
    .command('rotate')
    .description('replace the token of a collector client; the old token is revoked immediately')
    .addArgument(name())
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((who, options) => choose(() => rotateClient(context, who, options)));
  client
    .command('remove')
    .description('delete a collector client with its token, schedules, and waiting jobs')
    .addArgument(name())
    .addOption(urlOption())
    .action((who, options) => choose(() => removeClient(context, who, options)));
  scoped(client.command('collect'))
    .description('start a collection now')
    .addArgument(name())
    .addOption(jsonOption())
    .action((who, options) => choose(() => collectNow(context, who, options)));
  client
    .command('cancel')
    .description('cancel a waiting or running collection; its data is discarded')
    .addArgument(job())
    .addOption(urlOption())
    .action((id, options) => choose(() => cancelCollectorJob(context, id, options)));

  program
    .command('jobs')
    .description('list collections, newest first')
    .option('--client <name>', 'show only collections of this client')
    .option('--limit <number>', 'maximum number of collections', integer(1, 1_000), 20)
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => collectorJobs(context, options)));
  program
    .command('job-log')
    .description('print the log of a collection')
    .addArgument(job())
    .option('--follow', 'follow the log until the collection ends')
    .addOption(urlOption())
    .action((id, options) => choose(() => jobLog(context, id, options)));

  const schedule = program.command('schedule').description('manage collection schedules');
  schedule
    .command('list')
    .description('list collection schedules')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => listSchedules(context, options)));
  scoped(schedule.command('add'))
    .description('create a schedule for a collector client')
    .addArgument(name())
    .argument('<rule>', 'hourly, daily, weekly, monthly, or an RFC 5545 rule such as FREQ=HOURLY;INTERVAL=7')
    .option('--start <time>', 'first collection, for example 2026-12-01T02:30 (default: now)')
    .option('--zone <name>', 'time zone of the start, for example Europe/Berlin (default: UTC)')
    .addOption(jsonOption())
    .action((who, rule, options) => choose(() => addSchedule(context, who, rule, options)));
  schedule
    .command('remove')
    .description('delete a schedule')
    .addArgument(
      new Argument('<id>', 'number of the schedule; "clew schedule list" shows it').argParser(
        integer(1, 2 ** 31 - 1),
      ),
    )
    .addOption(urlOption())
    .action((id, options) => choose(() => removeSchedule(context, id, options)));
}
