/** Commands about users, tokens and single sign-on. */
import { Argument, type Command } from 'commander';
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

export function addTokenCommands(program: Command, context: Context, choose: Choose): void {
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

export function addSsoCommands(program: Command, context: Context, choose: Choose): void {
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
