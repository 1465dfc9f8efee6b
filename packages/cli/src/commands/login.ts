/** `clew login` and `clew logout`: the session of a person at a terminal. */
import { ApiError } from '@clew/client';
import { anonymousClient, type ConnectionOptions, serviceUrl } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError } from '../failure.ts';
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
  const client = anonymousClient(url);
  const answer = await client.login(options.user, secret, { otp: options.otp, signal }).catch((error) => {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401) throw new CommandError(`wrong name or password for ${url}`);
    if (error.message === 'one time password is invalid') {
      throw new CommandError('a one-time password is needed, and --otp does not give a valid one');
    }
    throw error;
  });
  const path = await writeSession(env, { url, user: options.user, session: answer.session_token });
  err.write(`Signed in to ${url} as ${printable(options.user)}; the session is kept in ${printable(path)}\n`);
  if (answer.auth_expired) err.write('The password has expired: it must be changed before anything else.\n');
}

export async function logout({ env, err, signal }: Context): Promise<void> {
  const stored = await readSession(env).catch(() => undefined);
  if (stored === undefined) {
    await deleteSession(env);
    err.write('Not signed in.\n');
    return;
  }
  const client = anonymousClient(stored.url, { session: stored.session });
  // The file goes first: whatever the service says, this machine forgets the session.
  await deleteSession(env);
  try {
    await client.call('Logout', {}, { signal });
    err.write(`Signed out of ${stored.url}.\n`);
  } catch {
    err.write(`Forgot the session; ${stored.url} could not be reached; there it ends by itself.\n`);
  }
}
