/** The service address and credentials of a command. */
import { MAX_VIEW_AS_MINUTES } from '@clew/api';
import { ClewClient, type Credentials, type TransportOptions } from '@clew/client';
import { chosenUser } from './chosenUser.ts';
import type { Context, Environment } from './context.ts';
import { CommandError, EXIT } from './failure.ts';
import { secretFile } from './secretFile.ts';
import { readSession } from './session.ts';

export interface ConnectionOptions {
  /** `--url`; takes precedence over everything else. */
  readonly url?: string;
}

/** A command on the object named by its argument. */
export type ThingCommand<Options = ConnectionOptions, Thing = string> = (
  context: Context,
  thing: Thing,
  options: Options,
) => Promise<void>;

const DEFAULT_URL = 'http://127.0.0.1:8080';

/** Waits a few seconds for a restarting service. */
const RETRY = { retries: 2, firstPause: 200, longestPause: 5000 };

/** @returns the address without a trailing slash @throws CommandError for an invalid address */
export function normalizeUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new CommandError(`${text} is not the address of a service; expected http://host:port`, EXIT.usage);
  }
  return url.href.replace(/\/+$/, '');
}

/** `--url`, else CLEW_URL, else the address of the last sign-in, else the default. */
export async function serviceUrl(env: Environment, options: ConnectionOptions): Promise<string> {
  const given = options.url ?? (env.CLEW_URL?.trim() || undefined);
  if (given !== undefined) return normalizeUrl(given);
  return (await readSession(env))?.url ?? DEFAULT_URL;
}

/** A token from the environment, else the session of the same service. */
async function credentialsFor(context: Context, url: string): Promise<Credentials | undefined> {
  const { env } = context;
  const tokenId = env.CLEW_TOKEN_ID?.trim();
  const file = env.CLEW_TOKEN_KEY_FILE?.trim();
  if (file && env.CLEW_TOKEN_KEY?.trim())
    throw new CommandError(
      'CLEW_TOKEN_KEY and CLEW_TOKEN_KEY_FILE are both set: unset one of them',
      EXIT.usage,
    );
  const tokenKey = file
    ? (await secretFile(context, file)).toString('utf8').trim()
    : env.CLEW_TOKEN_KEY?.trim();
  if (tokenId && tokenKey) return { tokenId, tokenKey };
  if (tokenId || tokenKey) {
    const missing = tokenId ? 'CLEW_TOKEN_KEY' : 'CLEW_TOKEN_ID';
    throw new CommandError(`a token has two parts: ${missing} is not set`, EXIT.usage);
  }
  const session = await readSession(env);
  return session?.url === url ? { session: session.session } : undefined;
}

/** @param more options of the client @throws CommandError without credentials */
export async function connect(
  context: Context,
  options: ConnectionOptions,
  more: Pick<TransportOptions, 'maxAnswerBytes'> = {},
): Promise<ClewClient> {
  const { env } = context;
  const url = await serviceUrl(env, options);
  const credentials = await credentialsFor(context, url);
  if (credentials === undefined) {
    throw new CommandError(
      `not signed in to ${url}: run "clew login", or set CLEW_TOKEN_ID and CLEW_TOKEN_KEY`,
    );
  }
  const client = anonymousClient(url, credentials, env, more);
  await askAs(context, client);
  return client;
}

/** With `--as`, begins a view as that user, which ends with the command. */
async function askAs({ asUser, signal }: Context, client: ClewClient): Promise<void> {
  if (asUser?.name === undefined) return;
  const user = await chosenUser(client, asUser.name, signal);
  asUser.ends.push(await client.viewAs(user.id, { signal, minutes: MAX_VIEW_AS_MINUTES }));
}

const DEFAULT_TIMEOUT_SECONDS = 60;

export function anonymousClient(
  url: string,
  credentials?: Credentials,
  env: Environment = {},
  more: Pick<TransportOptions, 'maxAnswerBytes'> = {},
): ClewClient {
  const seconds = Number(env.CLEW_TIMEOUT?.trim() || DEFAULT_TIMEOUT_SECONDS);
  if (!(seconds >= 1 && seconds <= 86_400))
    throw new CommandError('CLEW_TIMEOUT must be a number of seconds from 1 to 86400', EXIT.usage);
  return new ClewClient({
    ...{ url, userAgent: 'clew-cli', retry: RETRY, timeout: seconds * 1000, totalTimeout: seconds * 1000 },
    ...(credentials && { credentials }),
    ...more,
  });
}
