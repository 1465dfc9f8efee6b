/** The command line: every command, its arguments and options. One row a command; what it does is in `commands/`. */
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { ACTIONS, type ActionName, action } from './commands/action.ts';
import { addClient, clients, collectNow, removeClient, rotateClient } from './commands/clients.ts';
import { cancelCollectorJob, collectorJobs, jobLog } from './commands/collectorJobs.ts';
import { connectorStatus, runOnce, test as testConnector, watch } from './commands/connector.ts';
import { demo } from './commands/demo.ts';
import { exportGraph } from './commands/exportGraph.ts';
import { finding } from './commands/finding.ts';
import { findings, SEVERITIES, STATUSES } from './commands/findings.ts';
import { generate, PARTS, startOfDay } from './commands/generate.ts';
import { ingest } from './commands/ingest.ts';
import { investigate } from './commands/investigate.ts';
import { changeJob } from './commands/jobs.ts';
import { changePassword, login, logout } from './commands/login.ts';
import { mfa } from './commands/mfa.ts';
import { path } from './commands/path.ts';
import { posture } from './commands/posture.ts';
import { report } from './commands/report.ts';
import { resetPassword } from './commands/resetPassword.ts';
import { addSchedule, listSchedules, removeSchedule } from './commands/schedules.ts';
import { search } from './commands/search.ts';
import { serve } from './commands/serve.ts';
import { sessions } from './commands/sessions.ts';
import { addSso, listSso, removeSso, testSso } from './commands/sso.ts';
import { status } from './commands/status.ts';
import { addToken, revokeToken, tokens } from './commands/tokens.ts';
import { addUser, enableUser, removeUser, resetUserPassword, users } from './commands/users.ts';
import { addWebhook, removeWebhook, testWebhook, webhookDeliveries, webhooks } from './commands/webhooks.ts';
import type { Context } from './context.ts';
import { CommandError, describeFailure, EXIT } from './failure.ts';

function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= min && number <= max)) {
      throw new InvalidArgumentError(`Expected a number from ${min} to ${max}.`);
    }
    return number;
  };
}

/** @returns epoch seconds of the beginning of a day */
function day(text: string): number {
  const seconds = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) / 1000 : Number.NaN;
  if (!(seconds >= 0)) throw new InvalidArgumentError('Expected a date, as in 2026-06-01.');
  return seconds;
}

const list = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

const urlOption = () => new Option('--url <address>', 'address of the service (CLEW_URL)');
const zoneOption = () => new Option('--zone <name>', 'only of this zone: name or number');
const jsonOption = () => new Option('--json', 'print JSON for programs');

type Action = () => Promise<number | undefined> | Promise<void>;

/** @returns the exit code. Faults are described on `context.err`, in one line. */
export async function runCommandLine(context: Context, args: readonly string[]): Promise<number> {
  let chosen: Action | undefined;
  const program = buildProgram(context, (action) => {
    chosen = action;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return (await chosen?.()) ?? 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
    if (context.signal.aborted) return EXIT.interrupted;
    context.err.write(`clew: ${describeFailure(error)}\n`);
    return error instanceof CommandError ? error.exitCode : EXIT.failed;
  }
}

function buildProgram(context: Context, choose: (action: Action) => void): Command {
  const program = new Command('clew')
    .description('Attack path management for Active Directory and Entra ID')
    .exitOverride()
    .configureOutput({ writeOut: context.out.write, writeErr: context.err.write })
    .showHelpAfterError('("clew --help" and "clew COMMAND --help" say more)');

  program
    .command('serve')
    .description('run the service; CLEW_ variables configure it (see README)')
    .action(() => choose(() => serve(context)));

  program
    .command('ingest')
    .description('upload collection files (.json, .zip, or directories of them) and wait for the result')
    .argument('<file...>', 'collection files')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((files, options) => choose(() => ingest(context, files, options)));

  program
    .command('status')
    .description('show the latest uploads and what the graph holds')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => status(context, options)));

  const job = () => new Argument('<job>', 'number of the upload job').argParser(integer(1, 2 ** 31 - 1));
  program
    .command('cancel')
    .description('cancel an upload job that takes files or is being ingested')
    .addArgument(job())
    .addOption(urlOption())
    .action((id, options) => choose(() => changeJob(context, 'cancel', id, options)));
  program
    .command('retry')
    .description('ingest an upload job again that was given up; its files are kept for seven days')
    .addArgument(job())
    .addOption(urlOption())
    .action((id, options) => choose(() => changeJob(context, 'retry', id, options)));
  program
    .command('search')
    .description('find objects by name or object id')
    .argument('<text>', 'name or object id, or a part of one')
    .option('--kind <kind>', 'only objects of this kind, say User')
    .option('--limit <number>', 'objects to show', integer(1, 1000), 10)
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((text, options) => choose(() => search(context, text, options)));

  program
    .command('path')
    .description('show the shortest attack path between two objects')
    .argument('<from>', 'name or object id')
    .argument('<to>', 'name or object id')
    .option('--all-kinds', 'walk also edges that do not hand on control')
    .option('--only <kinds>', 'walk only these kinds of edges, comma-separated', list)
    .option('--without <kinds>', 'walk all but these kinds of edges, comma-separated', list)
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((from, to, options) => choose(() => path(context, from, to, options)));

  program
    .command('export')
    .description('write the whole graph as OpenGraph JSON, which can be uploaded elsewhere')
    .requiredOption('--out <file>', 'file to write; - for standard output')
    .option('--environment <ids>', 'only nodes of these environments, by object id, comma-separated', list)
    .option('--kind <kinds>', 'only these kinds of nodes or edges, comma-separated', list)
    .addOption(urlOption())
    .action((options) => choose(() => exportGraph(context, options)));

  program
    .command('findings')
    .description('list attack path findings, most urgent first')
    .option('--environment <name>', 'only of this environment: name or object id')
    .addOption(new Option('--severity <severity>', 'only of this severity').choices(SEVERITIES))
    .option('--type <id>', 'only of this finding type')
    .addOption(zoneOption())
    .addOption(new Option('--status <status>', 'only in this state (default: active)').choices(STATUSES))
    .option('--limit <number>', 'findings to show; 0 for all', integer(0, 1_000_000), 25)
    .option('--csv', 'print all of them as CSV')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => findings(context, options)));

  program
    .command('finding')
    .description('show a finding: who, over what, to where, and how to fix it')
    .argument('<id>', 'number of the finding', integer(1, 2 ** 31 - 1))
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((id, options) => choose(() => finding(context, id, options)));

  program
    .command('posture')
    .description('show exposure, findings and attack paths by day')
    .option('--environment <name>', 'only of this environment: name or object id')
    .addOption(zoneOption())
    .option('--days <number>', 'how far to look back', integer(1, 3650), 30)
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => posture(context, options)));

  program
    .command('report')
    .description('write posture, the most urgent findings and their remedies as one HTML page')
    .requiredOption('--out <file>', 'where to write')
    .option('--environment <name>', 'only of this environment: name or object id')
    .addOption(zoneOption())
    .option('--top <number>', 'findings to show', integer(1, 500), 20)
    .option('--days <number>', 'how far posture looks back', integer(1, 3650), 30)
    .addOption(urlOption())
    .action((options) => choose(() => report(context, options)));

  program
    .command('login')
    .description('sign in and keep the session for the commands above')
    .option('--user <name>', 'name of the user', 'admin')
    .option('--otp <code>', 'one-time password or recovery code; asked for where one is needed')
    .addOption(urlOption())
    .addHelpText(
      'after',
      '\nThe password is asked for; without a terminal it is the first line of the input.',
    )
    .action((options) => choose(() => login(context, options)));

  program
    .command('logout')
    .description('end the session and forget it')
    .action(() => choose(() => logout(context)));

  addUserCommands(program, context, choose);
  addTokenCommands(program, context, choose);
  addSsoCommands(program, context, choose);
  addCollectorCommands(program, context, choose);
  addActionCommands(program, context, choose);
  addConnectorCommands(program, context, choose);

  program
    .command('admin')
    .description('help for administrators, on the machine of the service')
    .command('reset-password')
    .description(
      'set the password of a user in the data directory (CLEW_DATA_DIR) or database (CLEW_DATABASE_URL)',
    )
    .argument('<name>', 'name or e-mail address of the user')
    .option('--generate', 'make a password and print it')
    .option('--without-mfa', 'take the second factor away, too')
    .addHelpText(
      'after',
      '\nWorks whether or not the service is running. A disabled user is enabled; its sessions end.',
    )
    .action((name, options) => choose(() => resetPassword(context, name, options)));
  program
    .command('generate')
    .description('write a synthetic Active Directory forest as SharpHound files')
    .requiredOption('--out <directory>', 'where to write')
    .option('--users <number>', 'people in the forest; everything else follows', integer(1, 10_000_000), 1000)
    .option(
      '--seed <number>',
      'the same seed and date give the same files',
      integer(-(2 ** 31), 2 ** 31 - 1),
      1,
    )
    .addOption(
      new Option('--date <date>', 'day of the collection, from which the times in it count')
        .argParser(day)
        .default(startOfDay(), 'today'),
    )
    .option('--zip', 'write one archive instead of single files')
    .addOption(new Option('--only <parts...>', 'write only these parts').choices(PARTS))
    .action(({ only, date, ...options }) =>
      choose(() => generate(context, { ...options, collectedAt: date, parts: only })),
    );

  program
    .command('demo')
    .description('run the service on a throw-away store with a synthetic forest in it')
    .option('--users <number>', 'people in the forest', integer(1, 1_000_000), 1000)
    .option('--seed <number>', 'another seed gives another forest', integer(-(2 ** 31), 2 ** 31 - 1), 1)
    .option('--exit', 'stop when everything has been shown')
    .action((options) => choose(() => demo(context, options)));

  return program;
}

type Choose = (action: Action) => void;

function addUserCommands(program: Command, context: Context, choose: Choose): void {
  program
    .command('users')
    .description('list users: role, state, how they sign in')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => users(context, options)));

  const user = program
    .command('user')
    .description('make, change and remove users; your own password and second factor');
  const name = () => new Argument('<name>', 'name or e-mail address of the user');
  user
    .command('add')
    .description('make a user; its first password is asked for')
    .argument('<name>', 'the name to sign in with')
    .option(
      '--role <role>',
      'administrator, power-user, user, read-only, auditor or upload-only',
      'read-only',
    )
    .option('--email <address>', 'e-mail address')
    .option('--first <name>', 'first name')
    .option('--last <name>', 'last name')
    .option('--environments <ids>', 'may see only these, by object id, comma-separated', list)
    .option('--sso <provider>', 'signs in through this provider, without a password')
    .option('--generate', 'make the password and print it')
    .addOption(urlOption())
    .action((who, options) => choose(() => addUser(context, who, options)));
  for (const [command, isEnabled, description] of [
    ['disable', false, 'end all sessions of a user and let it sign in no more'],
    ['enable', true, 'let a user sign in again'],
  ] as const)
    user
      .command(command)
      .description(description)
      .addArgument(name())
      .addOption(urlOption())
      .action((who, options) => choose(() => enableUser(context, who, isEnabled, options)));
  user
    .command('remove')
    .description('remove a user with its tokens and sessions')
    .addArgument(name())
    .addOption(urlOption())
    .action((who, options) => choose(() => removeUser(context, who, options)));
  user
    .command('reset-password')
    .description('set the password of a user, who has to set another one at the next sign-in')
    .addArgument(name())
    .option('--generate', 'make the password and print it')
    .addOption(urlOption())
    .action((who, options) => choose(() => resetUserPassword(context, who, options)));
  user
    .command('sessions')
    .description('list where you are signed in, or another user is; --end ends sessions')
    .argument('[name]', 'another user')
    .option('--end [id]', 'end this session, or all but this one', integer(1, 2 ** 31 - 1))
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((who, options) => choose(() => sessions(context, who, options)));
  user
    .command('password')
    .description('set another password of your own')
    .addOption(urlOption())
    .action((options) => choose(() => changePassword(context, options)));
  user
    .command('mfa')
    .description('begin with a second factor of your own, or take one away')
    .argument('[name]', 'with --off: another user')
    .option('--off', 'take the second factor away')
    .addOption(urlOption())
    .action((who, options) => choose(() => mfa(context, who, options)));
}

function addTokenCommands(program: Command, context: Context, choose: Choose): void {
  program
    .command('tokens')
    .description('list API tokens: yours, or as an administrator those of all users')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => tokens(context, options)));

  const token = program.command('token').description('make and revoke API tokens');
  token
    .command('add')
    .description('make a token; its key is shown once')
    .argument('<name>', 'what it is for')
    .option('--days <number>', 'expires after so many days', integer(1, 3650))
    .option('--user <name>', 'for this user')
    .addOption(urlOption())
    .action((what, options) => choose(() => addToken(context, what, options)));
  token
    .command('revoke')
    .description('end a token')
    .argument('<id>', 'as "clew tokens" shows it')
    .addOption(urlOption())
    .action((id, options) => choose(() => revokeToken(context, id, options)));
}

function addSsoCommands(program: Command, context: Context, choose: Choose): void {
  const sso = program.command('sso').description('providers of single sign-on');
  const name = () => new Argument('<name>', 'name of the provider');
  sso
    .command('list')
    .description('list providers')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => listSso(context, options)));
  sso
    .command('add')
    .description('add a SAML provider by its metadata, or an OpenID Connect provider by its issuer')
    .addArgument(name())
    .option('--metadata <file>', 'metadata of a SAML provider: file or address')
    .option('--issuer <address>', 'issuer of an OpenID Connect provider')
    .option('--client-id <id>', 'what this service is called there')
    .option('--make-users <role>', 'make users at their first sign-in, with this role')
    .option('--roles-by-provider', 'the provider says which role a user has')
    .addOption(urlOption())
    .action((what, options) => choose(() => addSso(context, what, options)));
  sso
    .command('remove')
    .description('remove a provider')
    .addArgument(name())
    .addOption(urlOption())
    .action((what, options) => choose(() => removeSso(context, what, options)));
  sso
    .command('test')
    .description('begin a sign-in, and say where it leads')
    .addArgument(name())
    .addOption(urlOption())
    .action((what, options) => choose(() => testSso(context, what, options)));
}

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

function addCollectorCommands(program: Command, context: Context, choose: Choose): void {
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

function addActionCommands(program: Command, context: Context, choose: Choose): void {
  const actions = program
    .command('action')
    .description('actions for analysts, as security platforms run them');
  for (const [name, description] of Object.entries(ACTIONS) as [ActionName, string][]) {
    const command = actions.command(name).description(description);
    if (name !== 'ping') command.argument('<items...>', 'names, ids or pairs; - reads standard input');
    command
      .addOption(urlOption())
      .addOption(jsonOption())
      .action((...all) => {
        // The last are the options and the command itself.
        const [words, options] = name === 'ping' ? [[], all[0]] : [all[0], all[1]];
        choose(() => action(context, name, words, options));
      });
  }
}

const CONNECTOR_COMMANDS = [
  ['run', 'one run; the exit code is 0 complete, 1 failed, 2 wrong configuration, 3 partial', runOnce],
  ['watch', 'a run every few minutes, until it is interrupted', watch],
  ['test', 'look at both ends; nothing is remembered or delivered', testConnector],
  ['status', 'what waits for the platform, and what it refused', connectorStatus],
] as const;

function addConnectorCommands(program: Command, context: Context, choose: Choose): void {
  const connector = program
    .command('connector')
    .description('take findings to a security platform (docs/integration.md)');
  for (const [name, description, command] of CONNECTOR_COMMANDS)
    connector
      .command(name)
      .description(description)
      .requiredOption('--config <file>', 'configuration of the connector, JSON')
      .addOption(jsonOption())
      .action((options) => choose(() => command(context, options)));
  addWebhookCommands(program, context, choose);
  program
    .command('investigate')
    .description('is what an alert says still so: path checks, assets, verdict, a summary')
    .argument('<file>', 'alert of the connector as JSON, or one of its events; - for standard input')
    .option('--out <file>', 'write the summary there, too')
    .addOption(urlOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExit code: 0 the way exists, 10 fixed, 11 accepted, 12 pending, 1 undecided, 2 no alert.',
    )
    .action((file, options) => choose(() => investigate(context, file, options)));
  program
    .command('mcp')
    .description('tools for language models over the Model Context Protocol, read-only')
    .option(
      '--http <host:port>',
      'listen there instead of standard input and output; callers bring their credentials',
    )
    .addOption(urlOption())
    // Its library takes longer to load than most commands to run.
    .action((options) => choose(async () => (await import('./commands/mcp.ts')).mcp(context, options)));
}

function addWebhookCommands(program: Command, context: Context, choose: Choose): void {
  const name = () => new Argument('<webhook>', 'name or id of the webhook');
  program
    .command('webhooks')
    .description('list who is told of changes, and what could not be delivered')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => webhooks(context, options)));
  const webhook = program
    .command('webhook')
    .description('tell others of changes (docs/reference/webhooks.md)');
  webhook
    .command('add')
    .description('tell an address of changes; the secret of its signatures is shown once')
    .argument('<name>', 'what it is called here')
    .argument('<address>', 'where the events go: https')
    .option('--events <types>', 'comma-separated; finding.opened,finding.resolved when absent', list)
    .option('--severity <severity>', 'findings of this severity and above: low, moderate, high, critical')
    .option('--exposure-above <percent>', 'threshold of posture.worsened', integer(0, 100))
    .option('--environments <ids>', 'only of these environments, by object id, comma-separated', list)
    .addOption(urlOption())
    .action((who, address, options) => choose(() => addWebhook(context, who, address, options)));
  webhook
    .command('test')
    .description('send an event that means nothing')
    .addArgument(name())
    .addOption(urlOption())
    .action((who, options) => choose(() => testWebhook(context, who, options)));
  webhook
    .command('deliveries')
    .description('what it was told, the newest first')
    .addArgument(name())
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((who, options) => choose(() => webhookDeliveries(context, who, options)));
  webhook
    .command('remove')
    .description('tell it nothing any more')
    .addArgument(name())
    .addOption(urlOption())
    .action((who, options) => choose(() => removeWebhook(context, who, options)));
}
