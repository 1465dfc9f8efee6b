/** `clew schedule ...`: when collectors run. */
import { type ConnectionOptions, connect, type ThingCommand } from '../connection.ts';
import type { Context } from '../context.ts';
import { formatTable } from '../terminal/table.ts';
import { printable, writeJson } from '../terminal/text.ts';
import { shownTime } from '../terminal/time.ts';
import { type ClientsOptions, chosenClient, type ScopeOptions, scopeOf } from './clients.ts';

const COLUMNS = [
  { title: 'ID', align: 'right' },
  { title: 'CLIENT' },
  { title: 'NEXT RUN' },
  { title: 'RULE' },
] as const;

const WORDS: Readonly<Record<string, string>> = {
  hourly: 'FREQ=HOURLY',
  daily: 'FREQ=DAILY',
  weekly: 'FREQ=WEEKLY',
  monthly: 'FREQ=MONTHLY',
};

export async function listSchedules(context: Context, options: ClientsOptions): Promise<void> {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const names = new Map<string, string>();
  for await (const { id, name } of client.entries('ListClients', { query: { limit: 100 } }, { signal }))
    names.set(id, name);
  const all = [];
  for await (const event of client.entries('ListClientSchedules', { query: { limit: 100 } }, { signal }))
    all.push(event);
  if (options.json) return writeJson(out, all);
  if (all.length === 0) err.write('No schedules; "clew schedule add CLIENT daily" creates one.\n');
  const rows = all.map(({ id, client_id, rrule, next_scheduled_at }) => [
    id,
    names.get(client_id) ?? client_id,
    shownTime(next_scheduled_at),
    rrule.replaceAll('\n', ' '),
  ]);
  out.write(formatTable(out, COLUMNS, rows));
}

export interface AddScheduleOptions extends ScopeOptions {
  /** `2026-12-01T02:30`, in the given zone, or in UTC. */
  readonly start?: string;
  /** `Europe/Berlin` */
  readonly zone?: string;
}

export async function addSchedule(
  context: Context,
  name: string,
  rule: string,
  options: AddScheduleOptions,
): Promise<void> {
  const { err, signal } = context;
  const client = await connect(context, options);
  const chosen = await chosenClient(client, name, signal);
  const body = {
    client_id: chosen.id,
    rrule: `${beginning(options)}${WORDS[rule.toLowerCase()] ?? rule.replaceAll('\\n', '\n')}`,
    ...scopeOf(chosen, options),
  };
  const { data } = await client.call('CreateClientSchedule', { body }, { signal });
  if (options.json) return writeJson(context.out, data);
  err.write(`Schedule ${data.id} of ${printable(name)}: next run ${shownTime(data.next_scheduled_at)}\n`);
}

/** `DTSTART` of a rule; empty if it starts now. */
function beginning({ start, zone }: AddScheduleOptions): string {
  if (start === undefined) return '';
  const time = start.replaceAll(/[-:]/g, '').padEnd(15, '0');
  return zone === undefined ? `DTSTART:${time}Z\n` : `DTSTART;TZID=${zone}:${time}\n`;
}

export const removeSchedule: ThingCommand<ConnectionOptions, number> = async (context, id, options) => {
  const client = await connect(context, options);
  await client.call('DeleteClientEvent', { params: { event_id: id } }, { signal: context.signal });
  context.err.write(`Schedule ${id} is removed, with its waiting job.\n`);
};
