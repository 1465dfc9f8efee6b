/** `clew login` and `clew logout`: the session of a user at a terminal. */

import { ApiError } from '@clew/client';
import { counted } from '@clew/model';
import { anonymousClient, type ConnectionOptions, connect, serviceUrl } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { deleteSession, readSession, writeSession } from '../session.ts';
import { printable } from '../terminal/text.ts';

export interface LoginOptions extends ConnectionOptions {
  readonly user: string;
  readonly otp?: string;
}

export async function login(context: Context, options: LoginOptions): Promise<void> {
  const { env, err, signal } = context;
  const url = await serviceUrl(env, options);
  const secret = await context.askSecret(`Password of ${printable(options.user)} at ${url}: `);
  const client = anonymousClient(url, undefined, env);
  const attempt = (more: { readonly otp?: string; readonly newSecret?: string }) =>
    client.login(options.user, secret, { ...more, signal });
  let otp = options.otp;
  const withCode = async (error: unknown) => {
    if (!isCodeNeeded(error) || options.otp !== undefined) throw error;
    otp = await context.askSecret('Code from your authenticator, or a recovery code: ');
    return attempt({ otp });
  };
  let answer = await attempt({ otp }).catch(withCode).catch(explain(url));
  if (answer.auth_expired) {
    err.write('The password has expired: set a new one.\n');
    const newSecret = await wantedSecret(context);
    // A code is valid once, so the next one is requested.
    if (otp !== undefined) otp = await context.askSecret('Next code from your authenticator: ');
    answer = await attempt({ otp, newSecret }).catch(explain(url));
    err.write('The password is changed.\n');
  }
  const path = await writeSession(env, { url, user: options.user, session: answer.session_token });
  err.write(
    `Signed in to ${url} as ${printable(options.user)}; the session is stored in ${printable(path)}\n`,
  );
  const days = daysUntil(answer.auth_expires_at);
  if (days <= WARNED_DAYS)
    err.write(`The password expires in ${counted(days, 'day')}: "clew user password" sets a new one.\n`);
}

/** `clew user password`: changes one's own password. */
export async function changePassword(context: Context, options: ConnectionOptions): Promise<void> {
  const { err, signal } = context;
  const client = await connect(context, options);
  const self = (await client.call('GetSelf', {}, { signal })).data;
  const current = await context.askSecret('Current password: ');
  const secret = await wantedSecret(context);
  const params = { user_id: self.id };
  await client.call(
    'CreateOrSetUserSecret',
    { params, body: { secret, current_secret: current } },
    { signal },
  );
  err.write('The password is changed; other sessions have ended.\n');
}

async function wantedSecret(context: Context): Promise<string> {
  const secret = await context.askSecret('New password: ');
  if (context.repeatsSecrets !== true) return secret;
  if ((await context.askSecret('Repeat new password: ')) !== secret)
    throw new CommandError('the passwords do not match; nothing was changed', EXIT.usage);
  return secret;
}

const isCodeNeeded = (error: unknown): boolean =>
  error instanceof ApiError && error.message === 'one time password is invalid';

const explain =
  (url: string) =>
  (error: unknown): never => {
    if (isCodeNeeded(error)) throw new CommandError('the code is not valid; each code works only once');
    if (error instanceof ApiError && error.status === 401)
      throw new CommandError(`wrong name or password for ${url}`);
    throw error;
  };

const WARNED_DAYS = 14;
const DAY_MS = 24 * 3600_000;

function daysUntil(time: string | undefined): number {
  if (time === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(0, Math.ceil((Date.parse(time) - Date.now()) / DAY_MS));
}

export async function logout({ env, err, signal }: Context): Promise<void> {
  const stored = await readSession(env).catch(() => undefined);
  if (stored === undefined) {
    await deleteSession(env);
    err.write('Not signed in.\n');
    return;
  }
  const client = anonymousClient(stored.url, { session: stored.session }, env);
  // Deletes the file first, so that this machine removes the session whatever the service answers.
  await deleteSession(env);
  try {
    await client.call('Logout', {}, { signal });
    err.write(`Signed out of ${stored.url}.\n`);
  } catch {
    err.write(
      `Deleted the session here, but ${stored.url} could not be reached; the session expires there.\n`,
    );
  }
}
