/** The command line: every command, its arguments and options. One row a command; what it does is in `commands/`. */
import { readFileSync } from 'node:fs';
import { SEVERITIES } from '@clew/api';
import { Argument, Command, CommanderError, Option } from 'commander';
import { demo } from '../commands/demo.ts';
import { DIFF_CAUSES, diff } from '../commands/diff.ts';
import { exportGraph } from '../commands/exportGraph.ts';
import { finding } from '../commands/finding.ts';
import { findings, STATUSES } from '../commands/findings.ts';
import { generate, PARTS, startOfDay } from '../commands/generate.ts';
import { ingest } from '../commands/ingest.ts';
import { changeJob } from '../commands/jobs.ts';
import { login, logout } from '../commands/login.ts';
import { path } from '../commands/path.ts';
import { posture } from '../commands/posture.ts';
import { QUERY_FORMATS, query, questions } from '../commands/query.ts';
import { report } from '../commands/report.ts';
import { resetPassword } from '../commands/resetPassword.ts';
import { search } from '../commands/search.ts';
import { serve } from '../commands/serve.ts';
import { status } from '../commands/status.ts';
import type { Context } from '../context.ts';
import { CommandError, describeFailure, EXIT } from '../failure.ts';
import { addCollectorCommands } from './collectors.ts';
import { completionScript, SHELLS } from './completion.ts';
import {
  type Action,
  collect,
  day,
  integer,
  jsonOption,
  list,
  urlOption,
  withJson,
  zoneOption,
} from './options.ts';
import { addPlanCommands } from './plans.ts';
import { addActionCommands, addConnectorCommands } from './platforms.ts';
import { addSsoCommands, addTokenCommands, addUserCommands } from './users.ts';

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

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

function buildProgram(given: Context, choose: (action: Action) => void): Command {
  const env = { ...given.env };
  const context: Context = { ...given, env };
  const program = new Command('clew')
    .version(version)
    .option(
      '--timeout <seconds>',
      'seconds that a request may take in all (CLEW_TIMEOUT; default 60)',
      (text) => {
        env.CLEW_TIMEOUT = String(integer(1, 86_400)(text));
        return text;
      },
    )
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
    .command('query')
    .description('ask the graph in Cypher: "MATCH (u:User) WHERE u.hasspn RETURN u.name"')
    .argument('[query]', 'the query, unless --file has it')
    .option('--file <path>', 'file with the query')
    .option('--question <key>', 'one that comes with the service: "clew questions" lists them')
    .addOption(new Option('--format <format>', 'how to print it').choices(QUERY_FORMATS).default('table'))
    .option('--param <name=value...>', 'value of $name in the query, as JSON or text', collect, [])
    .option('--wait <seconds>', 'time it may take', integer(1, 86_400))
    .option('--explain', 'do not run it: show its plan')
    .option('--profile', 'show its plan, too, with the rows and the time of each step')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((text, options) => choose(() => query(context, text, withJson(options))));
  program
    .command('questions')
    .description('questions that come with the service, for "clew query --question"')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => questions(context, options)));

  addPlanCommands(program, context, choose);

  program
    .command('diff')
    .description('what changed since a time, and what of it moved the exposure')
    .option('--since <time>', '7d, 12h, 2w, or a time', '7d')
    .addOption(new Option('--zone <name>', 'of this zone instead of Tier Zero: name or number'))
    .addOption(
      new Option('--by <reason>', 'only findings that began or ended because of this').choices(DIFF_CAUSES),
    )
    .option('--limit <number>', 'entries of each list at most', integer(1, 1000), 10)
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => diff(context, options)));

  program
    .command('path')
    .description('show the shortest attack path between two objects')
    .argument('<from>', 'name or object id')
    .argument('<to>', 'name or object id')
    .option('--all-kinds', 'walk also edges that do not hand on control')
    .option('--only <kinds>', 'walk only these kinds of edges, comma-separated', list)
    .option('--without <kinds>', 'walk all but these kinds of edges, comma-separated', list)
    .option('--alternatives <number>', 'so many paths, one a line', integer(1, 25))
    .option('--disjoint', 'with --alternatives: no two share a relation')
    .addOption(
      new Option(
        '--weight <what>',
        'which path is best: the shortest, or of the least attack effort',
      ).choices(['length', 'effort']),
    )
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
    .addOption(new Option('--severity <severity>', 'only of this severity').choices(SEVERITIES.toReversed()))
    .option('--type <id>', 'only of this finding type')
    .addOption(zoneOption())
    .addOption(new Option('--status <status>', 'only in this state (default: active)').choices(STATUSES))
    .option('--limit <number>', 'findings to show; 0 for all', integer(0, 1_000_000), 25)
    .option('--csv', 'print all of them as CSV')
    .addOption(
      new Option('--by <what>', 'one line for all that share it').choices([
        'cause',
        'type',
        'object',
        'repair',
      ]),
    )
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
    .option(
      '--domains <number>',
      'domains of the forest, and of forests it trusts: 3 unless given, in shape 3 as the seed says',
      integer(1, 20),
    )
    .option(
      '--shape <number>',
      'distributions: 2 is realistic, 3 also differs from seed to seed in what is wrong, 1 gives the files of earlier versions',
      integer(1, 3),
      2,
    )
    .option(
      '--changed-every <number>',
      'as it is later: one in so many users, groups and computers differs',
      integer(1, 10_000_000),
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

  program
    .command('completion')
    .description('print a script that completes commands and options: source <(clew completion bash)')
    .addArgument(new Argument('<shell>', 'of this shell').choices(SHELLS))
    .action((shell) => choose(async () => context.out.write(completionScript(program, shell))));

  return program;
}
