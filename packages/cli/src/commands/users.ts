/** `clew users` and `clew user ...`: users, their sign-in method, and their sessions. */
import type { RoleRecord, User } from '@clew/api';
import type { ClewClient } from '@clew/client';
import type { Static } from 'typebox';
import { chosenUser } from '../chosenUser.ts';
import { type ConnectionOptions, connect, type ThingCommand } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatTable } from '../terminal/table.ts';
import { jsonText, printable, writeJson } from '../terminal/text.ts';
import { shownTime } from '../terminal/time.ts';
import { generatedPassword } from './generatedPassword.ts';

export interface UsersOptions extends ConnectionOptions {
  readonly json?: boolean;
}

const COLUMNS = [
  { title: 'NAME' },
  { title: 'E-MAIL' },
  { title: 'ROLE' },
  { title: 'STATE' },
  { title: 'SIGNS IN WITH' },
  { title: 'LAST SIGN-IN' },
] as const;

export async function users(context: Context, options: UsersOptions): Promise<void> {
  const { out, signal } = context;
  const client = await connect(context, options);
  const { data } = await client.call('ListUsers', { query: { sort_by: 'principal_name' } }, { signal });
  if (options.json) return writeJson(out, data.users);
  const providers = await providerNames(client, signal);
  out.write(formatUsers(out, data.users, providers));
}

function formatUsers(screen: Screen, all: readonly User[], providers: ReadonlyMap<number, string>): string {
  const rows = all.map((user) => [
    user.principal_name,
    user.email_address ?? '',
    user.roles.map(({ name }) => name).join(', ') + (user.all_environments ? '' : ' (some environments)'),
    stateOf(user),
    signsInWith(user, providers),
    shownTime(user.last_login),
  ]);
  return formatTable(screen, COLUMNS, rows);
}

function stateOf({ is_disabled, AuthSecret }: User): string {
  if (is_disabled) return 'disabled';
  if (AuthSecret !== null && Date.parse(AuthSecret.expires_at) <= Date.now()) return 'password expired';
  return 'enabled';
}

function signsInWith({ sso_provider_id, AuthSecret }: User, providers: ReadonlyMap<number, string>): string {
  if (sso_provider_id !== null) return providers.get(sso_provider_id) ?? 'single sign-on';
  if (AuthSecret === null) return 'nothing yet';
  return AuthSecret.totp_activated ? 'password and code' : 'password';
}

async function providerNames(client: ClewClient, signal: AbortSignal): Promise<ReadonlyMap<number, string>> {
  const { data } = await client.call('ListAuthProviders', {}, { signal });
  return new Map(data.map(({ id, name }) => [id, name]));
}

export interface AddUserOptions extends ConnectionOptions {
  readonly role: string;
  readonly email?: string;
  readonly first?: string;
  readonly last?: string;
  /** Environments the user may see; all by default. */
  readonly environments?: readonly string[];
  /** Name of the SSO provider that replaces a password. */
  readonly sso?: string;
  readonly generate?: boolean;
  readonly json?: boolean;
}

export const addUser: ThingCommand<AddUserOptions> = async (context, name, options) => {
  const { err, signal } = context;
  const client = await connect(context, options);
  const role = await chosenrolle(client, options.role, signal);
  const provider = options.sso === undefined ? undefined : await chosenProvider(client, options.sso, signal);
  const password = provider === undefined ? await wantedPassword(context, name, options) : undefined;
  const { email, first, last, environments } = options;
  const body = {
    principal: name,
    roles: [role.id],
    ...(email !== undefined && { email_address: email }),
    ...(first !== undefined && { first_name: first }),
    ...(last !== undefined && { last_name: last }),
    ...(environments !== undefined && {
      environment_targeted_access_control: {
        environments: environments.map((environment_id) => ({ environment_id })),
      },
    }),
    ...(provider !== undefined && { sso_provider_id: provider }),
    ...(password !== undefined && { secret: password, needs_password_reset: true }),
  };
  const { data } = await client.call('CreateUser', { body }, { signal });
  if (options.json) {
    // The generated password is not stored anywhere.
    const generated = options.generate && password !== undefined ? { generated_password: password } : {};
    context.out.write(jsonText({ ...data, ...generated }));
    return;
  }
  err.write(`${printable(data.principal_name)} can sign in as ${role.name}.\n`);
  if (password !== undefined) err.write('The user must set a new password at the first sign-in.\n');
  if (options.generate && password !== undefined) context.out.write(`${password}\n`);
};

async function wantedPassword(
  context: Context,
  name: string,
  { generate }: { readonly generate?: boolean },
): Promise<string> {
  return generate ? generatedPassword() : context.askSecret(`Password of ${printable(name)}: `);
}

export async function enableUser(
  context: Context,
  name: string,
  isEnabled: boolean,
  options: ConnectionOptions,
): Promise<void> {
  const { err, signal } = context;
  const client = await connect(context, options);
  const user = await chosenUser(client, name, signal);
  const params = { user_id: user.id };
  await client.call('UpdateUser', { params, body: { is_disabled: !isEnabled } }, { signal });
  err.write(
    isEnabled
      ? `${printable(name)} can sign in.\n`
      : `${printable(name)} can no longer sign in; all sessions are ended, and API tokens no longer work.\n`,
  );
}

export const removeUser: ThingCommand = async (context, name, options) => {
  const { err, signal } = context;
  const client = await connect(context, options);
  const user = await chosenUser(client, name, signal);
  await client.call('DeleteUser', { params: { user_id: user.id } }, { signal });
  err.write(`${printable(name)} is removed, with all tokens and sessions.\n`);
};

export interface ResetOptions extends ConnectionOptions {
  readonly json?: boolean;
  readonly generate?: boolean;
}

export const resetUserPassword: ThingCommand<ResetOptions> = async (context, name, options) => {
  const { err, out, signal } = context;
  const client = await connect(context, options);
  const user = await chosenUser(client, name, signal);
  const secret = await wantedPassword(context, name, options);
  const params = { user_id: user.id };
  const body = { secret, needs_password_reset: true };
  await client.call('CreateOrSetUserSecret', { params, body }, { signal });
  if (options.json) {
    const generated = options.generate ? { generated_password: secret } : {};
    out.write(jsonText({ user_id: user.id, principal_name: user.principal_name, ...generated }));
    return;
  }
  err.write(`The password of ${printable(name)} is set; the user must change it at the next sign-in.\n`);
  if (options.generate) out.write(`${secret}\n`);
};

/** Finds a role by name, case-insensitively, with or without hyphens and spaces. @throws CommandError if not found */
export async function chosenrolle(
  client: ClewClient,
  name: string,
  signal: AbortSignal,
): Promise<Static<typeof RoleRecord>> {
  const { roles } = (await client.call('ListRoles', {}, { signal })).data;
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s-]/g, '');
  const role = roles.find((one) => plain(one.name) === plain(name));
  if (role === undefined) {
    const names = roles.map((one) => one.name).join(', ');
    throw new CommandError(`role ${printable(name)} not found; available: ${names}`, EXIT.usage);
  }
  return role;
}

/** @returns the id of a provider by name or slug @throws CommandError if not found */
export async function chosenProvider(client: ClewClient, name: string, signal: AbortSignal): Promise<number> {
  const { data } = await client.call('ListAuthProviders', {}, { signal });
  const provider = data.find((one) => one.slug === name.toLowerCase() || one.name === name);
  if (provider === undefined) throw new CommandError(`provider ${printable(name)} not found`, EXIT.usage);
  return provider.id;
}
