/** `clew plans`: plans that were saved, and how far they are. */
import type { SavedPlan } from '@clew/api';
import { ApiError } from '@clew/client';
import { type ConnectionOptions, connect } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError } from '../failure.ts';
import { WAIT_SECONDS } from '../plan/planPages.ts';
import { formatTable } from '../terminal/table.ts';
import { plural, printable } from '../terminal/text.ts';
import { simulationText } from './plan.ts';

export interface SavedPlanOptions extends ConnectionOptions {
  readonly json?: boolean;
}

export async function listPlans(context: Context, options: SavedPlanOptions): Promise<void> {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const { data } = await client.call('ListPlans', { query: { limit: 1000 } }, { signal });
  if (options.json) {
    out.write(`${JSON.stringify(data, null, 2)}\n`);
    return;
  }
  if (data.length === 0)
    err.write('No plan was saved yet: clew simulate --repairs 5 --save NAME saves one.\n');
  const rows = data.map((plan) => [
    ...[plan.id, plan.name, plural(stepCount(plan.request), 'change'), plan.created_by],
    plan.created_at.slice(0, 16).replace('T', ' '),
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

export async function showPlan(context: Context, id: number, options: SavedPlanOptions): Promise<void> {
  const { out, signal } = context;
  const client = await connect(context, options);
  const params = { plan_id: id };
  const { data } = await known(id, client.call('GetSavedPlan', { params }, { signal, wait: WAIT_SECONDS }));
  if (options.json) {
    out.write(`${JSON.stringify(data, null, 2)}\n`);
    return;
  }
  out.write(`${out.style('bold', printable(data.name))}\n`);
  if (data.description !== '') out.write(`${printable(data.description)}\n`);
  const [done, all] = [stepCount(data.done), stepCount(data.request)];
  out.write(`${done} of ${plural(all, 'change')} done\n`);
  for (const { text, is_done } of data.steps)
    out.write(`  ${is_done ? 'done' : 'left'}  ${printable(text)}\n`);
  if (done < all) out.write(`\nWhat the rest would do now:\n${simulationText(data.simulation)}`);
}

/** @throws CommandError where there is no such plan */
async function known<Answer>(id: number, asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw new CommandError(`there is no plan ${id}`);
    throw error;
  }
}

export async function deletePlan(context: Context, id: number, options: ConnectionOptions): Promise<void> {
  const client = await connect(context, options);
  await known(id, client.call('DeletePlan', { params: { plan_id: id } }, { signal: context.signal }));
  context.err.write(`Plan ${id} is deleted.\n`);
}
