/** `clew plans`: saved plans and their progress. */

import type { AdoptedChange, AdoptedRepair, SavedPlan } from '@clew/api';
import { ApiError, type ClewClient } from '@clew/client';
import { phrasesOf } from '@clew/connector';
import { counted, minuteText } from '@clew/model';
import { type ConnectionOptions, connect, type ThingCommand } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { zoneQuery } from '../findings/readFindings.ts';
import { WAIT_SECONDS } from '../plan/planPages.ts';
import { formatTable } from '../terminal/table.ts';
import { jsonText, padTo, printable, writeJson } from '../terminal/text.ts';
import { readPlan, simulationText } from './plan.ts';

export interface SavedPlanOptions extends ConnectionOptions {
  readonly json?: boolean;
}

export async function listPlans(context: Context, options: SavedPlanOptions): Promise<void> {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const { data } = await client.call('ListPlans', { query: { limit: 1000 } }, { signal });
  if (options.json) return writeJson(out, data);
  if (data.length === 0) err.write('No saved plans yet: clew simulate --repairs 5 --save NAME saves one.\n');
  const rows = data.map((plan) => [
    ...[plan.id, plan.name, counted(stepCount(plan.request), 'change'), plan.created_by],
    minuteText(plan.created_at),
  ]);
  out.write(formatTable(out, COLUMNS, rows));
}

const COLUMNS = [
  { title: 'ID', align: 'right' },
  { title: 'NAME' },
  { title: 'CHANGES' },
  { title: 'BY' },
  { title: 'SAVED' },
] as const;

export function stepCount({
  repairs = [],
  remove = [],
  add = [],
  disable = [],
}: SavedPlan['request']): number {
  return repairs.length + remove.length + add.length + disable.length;
}

export const showPlan: ThingCommand<SavedPlanOptions, number> = async (context, id, options) => {
  const { out, signal } = context;
  const client = await connect(context, options);
  const params = { plan_id: id };
  const { data } = await known(
    `plan ${id}`,
    client.call('GetSavedPlan', { params }, { signal, wait: WAIT_SECONDS }),
  );
  if (options.json) return writeJson(out, data);
  out.write(`${out.style('bold', printable(data.name))}\n`);
  if (data.description !== '') out.write(`${printable(data.description)}\n`);
  const [done, all] = [stepCount(data.done), stepCount(data.request)];
  out.write(`${done} of ${counted(all, 'change')} done\n`);
  for (const { text, is_done } of data.steps)
    out.write(`  ${is_done ? 'done' : 'left'}  ${printable(text)}\n`);
  if (done === all) return;
  const kinds = data.simulation.remaining_path?.relations ?? [];
  const left = simulationText(data.simulation, await phrasesOf(client, kinds, signal), out, {
    zone: data.request.asset_group_tag_id,
  });
  out.write(`\nEffect of the remaining changes:\n${left}`);
};

export interface AdoptOptions extends ConnectionOptions {
  /** Number of cards from the start of the plan; default: all. */
  readonly cards?: number;
  readonly zone?: string;
  readonly json?: boolean;
}

/** `clew plans adopt`: later analyses are compared with these cards. */
export const adoptPlan: ThingCommand<AdoptOptions> = async (context, name, options) => {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const zone = await zoneQuery(client, options, signal);
  const found = await readPlan(context, client, { limit: options.cards ?? 50, ...zone });
  const body = { name, ...zone, cards: found.cards.map(({ key }) => key) };
  if (body.cards.length === 0) throw new CommandError('the plan has no card to start with');
  const { data } = await client.call('AdoptPlan', { body }, { signal, wait: WAIT_SECONDS });
  if (options.json) out.write(jsonText(data));
  else err.write(`Started as plan ${data.id}: clew plans progress shows its progress.\n`);
};

/** `clew plans progress`: the completed changes of started plans. */
export async function planProgress(context: Context, options: SavedPlanOptions): Promise<void> {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const { data } = await client.call('ListAdoptedPlans', {}, { signal });
  if (options.json) return writeJson(out, data);
  if (data.length === 0) err.write('No started plans yet: clew plans adopt NAME starts one.\n');
  for (const { plan_id, name, text, other, changes, repairs } of data) {
    out.write(`${out.style('bold', `${plan_id}  ${printable(name)}`)}\n  ${printable(text)}\n`);
    if (other !== '') out.write(`  ${printable(other)}\n`);
    for (const repair of repairs) {
      out.write(repairLines(repair).join(''));
      for (const change of changes.filter(({ number }) => repair.changes.includes(number)))
        out.write(changeLines(change).join(''));
    }
  }
}

/** The repair with its owner and due date. */
function repairLines({ number, title, owner, due, overdue, notes }: AdoptedRepair): string[] {
  const parts = [
    ...(owner === null ? [] : [`owner ${owner.name}`]),
    ...(due === null ? [] : [`due ${due}${overdue ? ', overdue' : ''}`]),
  ];
  return [
    `  Repair ${number}: ${printable(title)}${parts.length > 0 ? ` (${printable(parts.join(', '))})` : ''}\n`,
    ...notes
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => `            ${printable(line)}\n`),
  ];
}

export interface AssignOptions extends ConnectionOptions {
  /** False for none. */
  readonly owner?: string | false;
  readonly due?: string | false;
  readonly notes?: string;
}

/** `clew plans assign`: sets owner, due date and notes of a repair of a started plan. */
export async function assignRepair(
  context: Context,
  id: number,
  repair: number,
  { owner, due, notes, ...options }: AssignOptions,
): Promise<void> {
  const { signal } = context;
  const client = await connect(context, options);
  const body = {
    ...(owner !== undefined && { owner_id: owner === false ? null : await userId(client, owner, signal) }),
    ...(due !== undefined && { due: due === false ? null : due }),
    ...(notes !== undefined && { notes }),
  };
  if (Object.keys(body).length === 0) throw new CommandError('give --owner, --due or --notes', EXIT.usage);
  const params = { plan_id: id, repair };
  const asked = client.call('UpdatePlanRepair', { params, body }, { signal });
  const { data } = await known(`repair ${repair} of plan ${id}`, asked);
  const found = data.repairs.find(({ number }) => number === repair);
  if (found !== undefined) context.err.write(repairLines(found).join(''));
}

async function userId(client: ClewClient, name: string, signal: AbortSignal | undefined): Promise<string> {
  const { data } = await client.call('ListAssignableUsers', {}, { signal });
  const user = data.find((one) => one.name.toLowerCase() === name.toLowerCase() || one.id === name);
  if (user === undefined) throw new CommandError(`user ${printable(name)} not found`, EXIT.usage);
  return user.id;
}

/** The change, the user who marked it as done, and the differences found in the last analysis. */
function changeLines({
  number,
  state,
  title,
  history,
  done_count,
  fact_count,
  marked,
  proof,
  text,
}: AdoptedChange): string[] {
  const part = state === 'open' && done_count > 0 ? ` (${done_count} of ${fact_count})` : '';
  const last = history.at(-1);
  const since = last?.at.slice(0, 10) ?? '';
  const note = (text: string): string => `${' '.repeat(27)}${printable(text)}\n`;
  return [
    `  ${padTo(String(number), 3, 'right')} ${padTo(state, 8)} ${padTo(since, 10)}  ${printable(title)}${part}\n`,
    ...(proof === 'open' ? [] : [note(text)]),
    ...(marked === null || marked.note === '' ? [] : [note(`note: ${marked.note}`)]),
    ...(last === undefined
      ? []
      : [
          ...last.moved.slice(0, MAX_MOVED),
          ...(last.moved.length > MAX_MOVED ? [`and ${last.moved.length - MAX_MOVED} more`] : []),
        ].map(note)),
  ];
}

const MAX_MOVED = 3;

export interface MarkOptions extends ConnectionOptions {
  readonly note?: string;
  readonly undo?: boolean;
}

/** `clew plans mark`: marks changes as done before a collection shows it. */
export async function markPlan(
  context: Context,
  id: number,
  changes: number[],
  { note, undo = false, ...options }: MarkOptions,
): Promise<void> {
  const client = await connect(context, options);
  const body = { changes, done: !undo, ...(note !== undefined && { note }) };
  const request = client.call(
    'MarkPlanChanges',
    { params: { plan_id: id }, body },
    { signal: context.signal },
  );
  const { data } = await known(`plan ${id}`, request);
  context.err.write(`${printable(data.text)}\n`);
}

/** @throws CommandError if it does not exist */
export async function known<Answer>(subject: string, asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw new CommandError(`${subject} not found`);
    throw error;
  }
}

export const deletePlan: ThingCommand<ConnectionOptions, number> = async (context, id, options) => {
  const client = await connect(context, options);
  await known(
    `plan ${id}`,
    client.call('DeletePlan', { params: { plan_id: id } }, { signal: context.signal }),
  );
  context.err.write(`Plan ${id} is deleted.\n`);
};
