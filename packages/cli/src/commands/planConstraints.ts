/** `clew plan constraints`: changes that are not possible, so that plans avoid them. */
import type { NewConstraint, PlanRecord } from '@clew/api';
import { ApiError, type ClewClient, type PlanQuery } from '@clew/client';
import { type ConnectionOptions, connect, type ThingCommand } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { zoneQuery } from '../findings/readFindings.ts';
import { formatTable } from '../terminal/table.ts';
import { printable, writeJson } from '../terminal/text.ts';
import { readPlan } from './plan.ts';

export interface ListConstraintOptions extends ConnectionOptions {
  readonly json?: boolean;
}

export async function listConstraints(context: Context, options: ListConstraintOptions): Promise<void> {
  const { out, err, signal } = context;
  const client = await connect(context, options);
  const { data } = await client.call('ListPlanConstraints', { query: { limit: 1000 } }, { signal });
  if (options.json) return writeJson(out, data);
  if (data.length === 0) {
    err.write('No constraints: "clew plan constraints add" records what cannot be changed.\n');
    return;
  }
  const day = (time: string | null): string => time?.slice(0, 10) ?? '';
  const end = (time: string | null): string =>
    time !== null && Date.parse(time) <= Date.now() ? `${day(time)} (ended)` : day(time);
  const rows = data.map(({ id, subject, title, reason, created_by, created_at, until }) => [
    ...[id, subject === 'unneeded' ? 'no one needs' : 'cannot be changed', title, reason],
    ...[created_by, day(created_at), end(until)],
  ]);
  out.write(formatTable(out, COLUMNS, rows));
}

const COLUMNS = [
  ...[{ title: 'ID', align: 'right' as const }, { title: 'ANSWER' }, { title: 'WHAT' }, { title: 'REASON' }],
  ...[{ title: 'BY' }, { title: 'SINCE' }, { title: 'UNTIL' }],
];

export interface AddConstraintOptions extends ConnectionOptions {
  readonly json?: boolean;
  readonly card?: number;
  readonly object?: string;
  readonly container?: string;
  readonly kind?: string;
  /** Whether no one needs the changes that the card asks about. */
  readonly unneeded?: boolean;
  readonly zone?: string;
  readonly reason: string;
  readonly until?: string;
}

export async function addConstraint(context: Context, options: AddConstraintOptions): Promise<void> {
  const { err, signal } = context;
  const { card, object, container, kind, reason, until } = options;
  if ([card, object, container, kind].filter((one) => one !== undefined).length !== 1)
    throw new CommandError('give one of --card, --object, --container and --kind', EXIT.usage);
  if (options.unneeded && card === undefined)
    throw new CommandError('--unneeded answers the questions of a card: use it with --card', EXIT.usage);
  const client = await connect(context, options);
  const common = { reason, ...(until !== undefined && { until: `${until}T23:59:59Z` }) };
  let body: NewConstraint;
  if (object !== undefined) body = { subject: 'object', object_id: object, ...common };
  else if (container !== undefined) body = { subject: 'container', object_id: container, ...common };
  else if (kind !== undefined) body = { subject: 'kind', repair_kind: kind, ...common };
  else {
    const at = card as number;
    const plan = await shownPlan(context, client, {
      limit: at,
      ...(await zoneQuery(client, options, signal)),
    });
    const found = plan.cards[at - 1];
    if (found === undefined) throw new CommandError(`the plan has no card ${at}`);
    const title = found.packages
      .map((one) => one.title)
      .join('; ')
      .slice(0, 400);
    const asked = found.packages.flatMap(({ questions }) =>
      questions.flatMap(({ references }) => references),
    );
    if (options.unneeded && asked.length === 0) throw new CommandError(`card ${at} has no questions`);
    body = {
      ...{ subject: options.unneeded ? 'unneeded' : 'repairs', title, ...common },
      repairs: options.unneeded ? asked : found.packages.flatMap(({ references }) => references),
    };
  }
  const { data } = await client.call('CreatePlanConstraint', { body }, { signal });
  if (options.json) return writeJson(context.out, data);
  const what = data.subject === 'unneeded' ? 'Answered as' : 'Recorded as';
  err.write(
    `${what} ${data.id}: ${printable(data.title)}. The plan will be computed again; its cards may have other numbers.\n`,
  );
}

/**
 * Gets the plan whose cards the user has seen. A number of a newer plan may mean another card.
 * @throws CommandError while the plan is older than the constraints
 */
async function shownPlan(context: Context, client: ClewClient, query: PlanQuery): Promise<PlanRecord> {
  const known = await client.call(
    'GetPlan',
    { query: query as never },
    { signal: context.signal, wait: LOOK_SECONDS },
  );
  if (!('cards' in known.data)) return readPlan(context, client, query);
  if (known.data.excluded.is_outdated)
    throw new CommandError(
      'nothing is recorded: the plan is being computed with the latest constraints, and its cards may have other numbers; try again when "clew plan" shows it',
    );
  return known.data;
}

/** The shortest wait: a plan that is only being computed is not the one that the user has seen. */
const LOOK_SECONDS = 1;

export const removeConstraint: ThingCommand<ConnectionOptions, number> = async (context, id, options) => {
  const client = await connect(context, options);
  try {
    await client.call('DeletePlanConstraint', { params: { constraint_id: id } }, { signal: context.signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404)
      throw new CommandError(`constraint ${id} not found`);
    throw error;
  }
  context.err.write(`Constraint ${id} is removed. The plan will be computed again.\n`);
};
