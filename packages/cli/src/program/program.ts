/** The command line: other files here declare commands by subject; `commands/` has their implementations. */
import { Argument, Command, CommanderError } from 'commander';
import type { Context } from '../context.ts';
import { CommandError, describeFailure, EXIT } from '../failure.ts';
import { warnOfUnknownVariables } from '../unknownVariables.ts';
import { VERSION } from '../version.ts';
import { addCheckCommands } from './checks.ts';
import { addCollectCommands } from './collect.ts';
import { addCollectorCommands } from './collectors.ts';
import { completionScript, SHELLS } from './completion.ts';
import { addExtensionCommands } from './extensions.ts';
import { addFindingCommands } from './findings.ts';
import { addGraphCommands } from './graph.ts';
import { addAdminCommands, addDoctorCommand, addSampleCommands, addServeCommand } from './machine.ts';
import { type Action, integer } from './options.ts';
import { addPlanCommands } from './plans.ts';
import { addActionCommands, addConnectorCommands } from './platforms.ts';
import { addReportCommands } from './reports.ts';
import { addSessionCommands } from './session.ts';
import { addUploadCommands } from './uploads.ts';
import { addAccessCommands, addSsoCommands, addTokenCommands, addUserCommands } from './users.ts';

/** @returns the exit code. Errors are described on `context.err`, in one line */
export async function runCommandLine(context: Context, args: readonly string[]): Promise<number> {
  let chosen: Action | undefined;
  const ends: (() => Promise<void>)[] = [];
  const program = buildProgram({ ...context, asUser: { ends } }, (action) => {
    chosen = action;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    if (chosen === undefined) return 0;
    await warnOfUnknownVariables(context);
    return (await chosen()) ?? 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
    if (context.signal.aborted) return EXIT.interrupted;
    context.err.write(`clew: ${describeFailure(error)}\n`);
    return error instanceof CommandError ? error.exitCode : EXIT.failed;
  } finally {
    // The service ends a view by itself if this fails.
    await Promise.allSettled(ends.map((end) => end()));
  }
}

/** @returns all commands; `choose` receives the command of the parsed command line */
export function buildProgram(given: Context, choose: (action: Action) => void): Command {
  const env = { ...given.env };
  const asUser = given.asUser ?? { ends: [] };
  const context: Context = { ...given, env, asUser };
  const program = new Command('clew')
    .version(VERSION)
    .option(
      '--timeout <seconds>',
      'maximum seconds for a request in total (CLEW_TIMEOUT; default: 60)',
      (text) => {
        env.CLEW_TIMEOUT = String(integer(1, 86_400)(text));
        return text;
      },
    )
    .option(
      '--as <user>',
      'ask as this user, by name or e-mail address: read only, recorded in the audit log; for administrators',
      (text) => {
        asUser.name = text;
        return text;
      },
    )
    .description('Attack path management for Active Directory and Entra ID')
    .exitOverride()
    .configureOutput({ writeOut: context.out.write, writeErr: context.err.write })
    .showHelpAfterError('("clew --help" and "clew COMMAND --help" show more)');

  program.hook('preAction', (_, command) => {
    if (asUser.name !== undefined) expectAsUser(command);
  });
  for (const add of COMMANDS) add(program, context, choose);
  program
    .command('completion')
    .description('print a script that completes commands and options: source <(clew completion bash)')
    .addArgument(new Argument('<shell>', 'shell').choices(SHELLS))
    .action((shell) => choose(async () => context.out.write(completionScript(program, shell))));
  return program;
}

/** Commands that ask the service, but not as a user, or that do long work before a change which a view refuses. */
const NEVER_AS: ReadonlySet<string> = new Set([
  ...['login', 'collect', 'collect-entra', 'collector run', 'access check'],
]);

/** @throws CommandError for a command that does not ask the service as its user */
function expectAsUser(command: Command): void {
  const names: string[] = [];
  for (let at: Command | null = command; at?.parent; at = at.parent) names.unshift(at.name());
  const path = names.join(' ');
  if (NEVER_AS.has(path) || !command.options.some(({ long }) => long === '--url'))
    throw new CommandError(
      `--as is for commands that read from the service as a user: "clew ${path}" does not`,
      EXIT.usage,
    );
}

/** In the order of `--help`. */
const COMMANDS = [
  ...[
    addServeCommand,
    addCollectCommands,
    addUploadCommands,
    addGraphCommands,
    addPlanCommands,
    addFindingCommands,
    addReportCommands,
  ],
  ...[addCheckCommands, addExtensionCommands],
  ...[
    addSessionCommands,
    addUserCommands,
    addAccessCommands,
    addTokenCommands,
    addSsoCommands,
    addCollectorCommands,
  ],
  ...[addActionCommands, addConnectorCommands, addAdminCommands, addDoctorCommand, addSampleCommands],
] as const;
