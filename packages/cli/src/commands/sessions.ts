/** `clew user sessions`: shows and ends sessions of a user. */
import { counted } from '@clew/model';
import { chosenUser } from '../chosenUser.ts';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { formatTable } from '../terminal/table.ts';
import { jsonText, printable, writeJson } from '../terminal/text.ts';
import { shownTime } from '../terminal/time.ts';

export interface SessionsOptions extends ConnectionOptions {
  readonly json?: boolean;
  /** The session with this number, or all except the one of this command. */
  readonly end?: number | true;
}

const COLUMNS = [
  { title: 'ID', align: 'right' },
  { title: 'SINCE' },
  { title: 'UNTIL' },
  { title: 'FROM' },
  { title: 'BY' },
  { title: 'PROGRAM' },
] as const;

/** @param name name of the user; default: the caller */
export async function sessions(
  context: Context,
  name: string | undefined,
  options: SessionsOptions,
): Promise<void> {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const user =
    name === undefined
      ? (await client.call('GetSelf', {}, { signal })).data
      : await chosenUser(client, name, signal);
  const params = { user_id: user.id };
  const { data } = await client.call('ListUserSessions', { params }, { signal });
  if (options.end !== undefined) {
    const ended = data.sessions.filter(({ id, is_current }) =>
      options.end === true ? !is_current : id === options.end,
    );
    for (const { id } of ended)
      await client.call('EndUserSession', { params: { ...params, session_id: id } }, { signal });
    if (options.json) out.write(jsonText(ended));
    err.write(`${ended.length} of ${counted(data.sessions.length, 'session')} ended.\n`);
    return;
  }
  if (options.json) return writeJson(out, data.sessions);
  if (data.sessions.length === 0) err.write(`${printable(name ?? 'You')} has no session.\n`);
  const rows = data.sessions.map((session) => [
    session.id,
    shownTime(session.created_at),
    shownTime(session.expires_at),
    session.is_current ? `${session.client_address} (this one)` : session.client_address,
    session.login_method === 'secret' ? 'password' : session.login_method,
    session.user_agent,
  ]);
  out.write(formatTable(out, COLUMNS, rows));
}
