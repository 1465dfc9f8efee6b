/** Commands about users, tokens and single sign-on. */
import { Argument, type Command } from 'commander';
import { accessCheck, DEFAULT_CHECK_MINUTES, MAX_CHECK_MINUTES } from '../commands/accessCheck.ts';
import { changePassword } from '../commands/login.ts';
import { mfa } from '../commands/mfa.ts';
import { sessions } from '../commands/sessions.ts';
import { addSso, listSso, removeSso, testSso } from '../commands/sso.ts';
import { addToken, revokeToken, tokens } from '../commands/tokens.ts';
import { addUser, enableUser, removeUser, resetUserPassword, users } from '../commands/users.ts';
import type { Context } from '../context.ts';
import { type Choose, integer, jsonOption, list, urlOption } from './options.ts';

export function addUserCommands(program: Command, context: Context, choose: Choose): void {
  program
    .command('users')
    .description('list users with role, state, and sign-in method')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => users(context, options)));

  const user = program.command('user').description('manage users, and your own password and MFA');
  const name = () => new Argument('<name>', 'name or e-mail address of the user');
  user
    .command('add')
    .description('create a user; the command asks for the initial password')
    .argument('<name>', 'name to sign in with')
    .option(
      '--role <role>',
      'administrator, power-user, user, read-only, auditor, or upload-only',
      'read-only',
    )
    .option('--email <address>', 'e-mail address')
    .option('--first <name>', 'first name')
    .option('--last <name>', 'last name')
    .option('--environments <ids>', 'limit the user to these environments: object IDs, comma-separated', list)
    .option('--sso <provider>', 'the user signs in through this provider, without a password')
    .option('--generate', 'generate the password and print it')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((who, options) => choose(() => addUser(context, who, options)));
  for (const [command, isEnabled, description] of [
    ['disable', false, 'disable a user and end all sessions of the user'],
    ['enable', true, 'enable a disabled user'],
  ] as const)
    user
      .command(command)
      .description(description)
      .addArgument(name())
      .addOption(urlOption())
      .action((who, options) => choose(() => enableUser(context, who, isEnabled, options)));
  user
    .command('remove')
    .description('delete a user with all tokens and sessions')
    .addArgument(name())
    .addOption(urlOption())
    .action((who, options) => choose(() => removeUser(context, who, options)));
  user
    .command('reset-password')
    .description('set the password of a user, who must change it at the next sign-in')
    .addArgument(name())
    .option('--generate', 'generate the password and print it')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((who, options) => choose(() => resetUserPassword(context, who, options)));
  user
    .command('sessions')
    .description('list your sessions or those of another user; --end ends sessions')
    .argument('[name]', 'another user')
    .option(
      '--end [id]',
      'end the session with this number; without a number, end all sessions except this one',
      integer(1, 2 ** 31 - 1),
    )
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((who, options) => choose(() => sessions(context, who, options)));
  user
    .command('password')
    .description('change your own password')
    .addOption(urlOption())
    .action((options) => choose(() => changePassword(context, options)));
  user
    .command('mfa')
    .description('set up your own MFA, or remove MFA')
    .argument('[name]', 'with --off: name of another user')
    .option('--off', 'remove MFA')
    .addOption(urlOption())
    .action((who, options) => choose(() => mfa(context, who, options)));
}

export function addAccessCommands(program: Command, context: Context, choose: Choose): void {
  program
    .command('access')
    .description('check what users see')
    .command('check')
    .description(
      'ask every operation that reads as this user, and report objects of environments that the user may not see; for administrators',
    )
    .argument('<user>', 'name or e-mail address of the user')
    .option(
      '--minutes <number>',
      'end after this time, complete or not',
      integer(1, MAX_CHECK_MINUTES),
      DEFAULT_CHECK_MINUTES,
    )
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((who, options) => choose(() => accessCheck(context, who, options)));
}

export function addTokenCommands(program: Command, context: Context, choose: Choose): void {
  program
    .command('tokens')
    .description('list API tokens: your own or, for administrators, those of all users')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => tokens(context, options)));

  const token = program.command('token').description('manage API tokens');
  token
    .command('add')
    .description('create an API token; its key is shown once')
    .argument('<name>', 'name that describes the purpose of the token')
    .option('--days <number>', 'days until the token expires', integer(1, 3650))
    .option('--user <name>', 'create the token for this user')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((what, options) => choose(() => addToken(context, what, options)));
  token
    .command('revoke')
    .description('revoke an API token')
    .argument('<id>', 'ID of the token; "clew tokens" lists it')
    .addOption(urlOption())
    .action((id, options) => choose(() => revokeToken(context, id, options)));
}

export function addSsoCommands(program: Command, context: Context, choose: Choose): void {
  const sso = program.command('sso').description('manage single sign-on providers');
  const name = () => new Argument('<name>', 'name of the provider');
  sso
    .command('list')
    .description('list single sign-on providers')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((options) => choose(() => listSso(context, options)));
  sso
    .command('add')
    .description('add a SAML provider by its metadata, or an OpenID Connect provider by its issuer')
    .addArgument(name())
    .option('--metadata <file>', 'metadata of a SAML provider: file or URL')
    .option('--issuer <address>', 'issuer URL of an OpenID Connect provider')
    .option('--client-id <id>', 'client ID of this service at the provider')
    .option('--make-users <role>', 'create users automatically at their first sign-in, with this role')
    .option('--roles-by-provider', 'take the role of a user from the provider')
    .addOption(urlOption())
    .addOption(jsonOption())
    .action((what, options) => choose(() => addSso(context, what, options)));
  sso
    .command('remove')
    .description('delete a single sign-on provider')
    .addArgument(name())
    .addOption(urlOption())
    .action((what, options) => choose(() => removeSso(context, what, options)));
  sso
    .command('test')
    .description('start a sign-in and show where it redirects')
    .addArgument(name())
    .addOption(urlOption())
    .action((what, options) => choose(() => testSso(context, what, options)));
}
