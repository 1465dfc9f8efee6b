/** `clew plan constraints`: changes that are not possible, so that plans avoid them. */
import type { CardRecord, ConstraintRecord, NewConstraint, PlanRecord, RepairReference } from '@clew/api';
import { ApiError, type ClewClient, type PlanQuery } from '@clew/client';
import { counted } from '@clew/model';
import { type ConnectionOptions, connect, type ThingCommand } from '../connection.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../failure.ts';
import { zoneQuery } from '../findings/readFindings.ts';
import { leftOut } from '../plan/planPages.ts';
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
  /** Numbers of changes of the card; default: all. */
  readonly change?: readonly number[];
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
  if (options.change !== undefined && (card === undefined || options.unneeded))
    throw new CommandError('--change names changes of a card: use it with --card', EXIT.usage);
  const client = await connect(context, options);
  const common = { reason, ...(until !== undefined && { until: `${until}T23:59:59Z` }) };
  let body: NewConstraint;
  let changes: readonly CardChange[] = [];
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
    const all = changesOf(found);
    const chosen = options.change === undefined ? all : chosenChanges(all, options.change, at);
    const titles = options.change === undefined ? found.packages : chosen;
    const title = titles
      .map((one) => one.title)
      .join('; ')
      .slice(0, 400);
    const asked = found.packages.flatMap(({ questions }) =>
      questions.flatMap(({ references }) => references),
    );
    if (options.unneeded && asked.length === 0) throw new CommandError(`card ${at} has no questions`);
    body = {
      ...{ subject: options.unneeded ? 'unneeded' : 'repairs', title, ...common },
      repairs: options.unneeded ? asked : chosen.map(({ reference }) => reference),
    };
    if (!options.unneeded && options.change === undefined) changes = all;
  }
  const { data } = await client.call('CreatePlanConstraint', { body }, { signal });
  if (options.json) return writeJson(context.out, data);
  const what = data.subject === 'unneeded' ? 'Answered as' : 'Recorded as';
  err.write(`${what} ${data.id}: ${printable(data.title)}.\n${excludedText(data, card, changes)}`);
  const query = { limit: 1, ...(await zoneQuery(client, options, signal)) };
  err.write(`${data.subject === 'unneeded' ? COMPUTED_AGAIN : await comparedEnd(context, client, query)}\n`);
}

interface CardChange {
  readonly reference: RepairReference;
  /** Empty beyond the first hundred changes of a package, of which only the references are known. */
  readonly title: string;
}

const changesOf = ({ packages }: CardRecord): CardChange[] =>
  packages.flatMap(({ references, changes }) =>
    references.map((reference, at) => ({ reference, title: changes[at]?.title ?? '' })),
  );

/** @throws CommandError for a number that the card does not have */
function chosenChanges(all: readonly CardChange[], numbers: readonly number[], card: number): CardChange[] {
  return [...new Set(numbers)].map((number) => {
    const change = all[number - 1];
    if (change === undefined)
      throw new CommandError(`card ${card} has ${counted(all.length, 'change')}, and no change ${number}`);
    return change;
  });
}

const MAX_LISTED = 10;

/** The changes of a card with several ones, and how to exclude only some. */
function excludedText(
  { id }: ConstraintRecord,
  card: number | undefined,
  changes: readonly CardChange[],
): string {
  if (changes.length < 2) return '';
  const listed = changes.slice(0, MAX_LISTED).map(({ title }, at) => `  ${at + 1}. ${printable(title)}\n`);
  const rest = changes.length - listed.length;
  return [
    `It excludes all ${changes.length} changes of the card:\n`,
    ...listed,
    ...(rest > 0 ? [`  and ${rest} more\n`] : []),
    `To exclude only some of them: "clew plan constraints remove ${id}", and when "clew plan" shows the card again, add it with their numbers, for instance --card ${card} --change 1.\n`,
  ].join('');
}

const COMPUTED_AGAIN = 'The plan will be computed again; its cards may have other numbers.';
/** The answer does not wait longer for the new plan. */
const COMPARED_SECONDS = 20;

/** @returns the exposure that the plan reaches now, and without constraints, if the plan is computed soon */
async function comparedEnd(context: Context, client: ClewClient, query: PlanQuery): Promise<string> {
  const { data } = await client.call(
    'GetPlan',
    { query: query as never },
    { signal: context.signal, wait: COMPARED_SECONDS },
  );
  if (!('cards' in data) || data.excluded.is_outdated || data.excluded.with === null) return COMPUTED_AGAIN;
  return `${leftOut(data)} Its cards may have other numbers.`;
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
