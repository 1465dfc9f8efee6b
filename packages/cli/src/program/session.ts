/** Commands that sign in and out. */
import type { Command } from 'commander';
import { login, logout } from '../commands/login.ts';
import type { Context } from '../context.ts';
import { type Choose, urlOption } from './options.ts';

export function addSessionCommands(program: Command, context: Context, choose: Choose): void {
  program
    .command('login')
    .description('sign in and store the session for later commands')
    .option('--user <name>', 'name of the user', 'admin')
    .option('--otp <code>', 'one-time password or recovery code; the command asks for it if needed')
    .addOption(urlOption())
    .addHelpText(
      'after',
      '\nThe command asks for the password; without a terminal, it reads the first line of standard input.',
    )
    .action((options) => choose(() => login(context, options)));

  program
    .command('logout')
    .description('sign out and delete the session')
    .action(() => choose(() => logout(context)));
}
