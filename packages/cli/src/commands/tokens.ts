/** `clew tokens` and `clew token ...`: API tokens with which programs sign their requests. */
import { chosenUser } from '../chosenUser.ts';
import { type ConnectionOptions, connect, type ThingCommand } from '../connection.ts';
import type { Context } from '../context.ts';
import { formatTable } from '../terminal/table.ts';
import { printable, writeJson } from '../terminal/text.ts';
import { shownTime } from '../terminal/time.ts';

export interface TokensOptions extends ConnectionOptions {
  readonly json?: boolean;
}

const COLUMNS = [
  { title: 'ID' },
  { title: 'NAME' },
  { title: 'USER' },
  { title: 'CREATED' },
  { title: 'EXPIRES' },
  { title: 'LAST USE' },
] as const;

const DAY_MS = 24 * 3600_000;

export async function tokens(context: Context, options: TokensOptions): Promise<void> {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const { data } = await client.call('ListAuthTokens', {}, { signal });
  if (options.json) return writeJson(out, data.tokens);
  if (data.tokens.length === 0) err.write('No tokens; "clew token add NAME" creates one.\n');
  // Not every caller may read user names.
  const named = await client.call('ListUsersMinimal', {}, { signal }).catch(() => undefined);
  const users = new Map(
    named?.data.users.map(({ id, email, first_name }) => [id, email || first_name || id]),
  );
  const rows = data.tokens.map((token) => [
    token.id,
    token.name ?? '',
    users.get(token.user_id ?? '') ?? token.user_id ?? '',
    shownTime(token.created_at),
    token.expires_at.valid ? shownTime(token.expires_at.time) : 'never',
    shownTime(token.last_access),
  ]);
  out.write(formatTable(out, COLUMNS, rows));
}

export interface AddTokenOptions extends ConnectionOptions {
  /** Days until it expires. */
  readonly days?: number;
  /** Name of another user. */
  readonly user?: string;
  readonly json?: boolean;
}

export const addToken: ThingCommand<AddTokenOptions> = async (context, name, options) => {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const owner = options.user === undefined ? undefined : await chosenUser(client, options.user, signal);
  const { days } = options;
  const body = {
    token_name: name,
    ...(owner !== undefined && { user_id: owner.id }),
    ...(days !== undefined && { expires_at: new Date(Date.now() + days * DAY_MS).toISOString() }),
  };
  const { data } = await client.call('CreateAuthToken', { body }, { signal });
  if (options.json) return writeJson(out, data);
  err.write(`The key of ${printable(name)} is shown only once:\n`);
  out.write(`CLEW_TOKEN_ID=${data.id}\nCLEW_TOKEN_KEY=${data.key}\n`);
};

export const revokeToken: ThingCommand = async (context, id, options) => {
  const client = await connect(context, options);
  await client.call('DeleteAuthToken', { params: { token_id: id } }, { signal: context.signal });
  context.err.write(`Token ${printable(id)} is revoked.\n`);
};
