/**
 * Records events of the repairs of started plans, once each: done, undone, contradicted mark, overdue. Webhooks and the proof of
 * a plan read them. A repair that stays overdue has one event, whatever its due date becomes.
 *
 *   plans followed, or once a minute -> plans that differ from the last look -> state of each repair -> events that are not known yet -> stored
 *
 * Rule: `docs/plan.md#proof`.
 */
import { type AdoptedChange, JOB_STATUS } from '@clew/api';
import { TaskLoop } from '@clew/common';
import type { GenerationSource } from '@clew/generation';
import type { DatabaseLog, Db, PlanEventTable } from '@clew/store';
import { type Insertable, sql } from 'kysely';
import { isToDo } from '../stored/planRepairs.ts';
import { cameBackAfterMark } from '../stored/proofTexts.ts';
import { type ShownPlan, shownPlansById } from '../stored/startedPlans.ts';

/** A mark may be contradicted, and a due date may pass, without a new analysis. */
const LOOK_MS = 60_000;

export interface PlanEventParts {
  readonly db: Db;
  readonly generations: GenerationSource;
  /** Days for which scheduled logon sessions count; 0 for no limit. */
  readonly sessionDays: number;
}

export interface RunningPlanEvents {
  /** Polls at once. */
  wake(): void;
  stop(): Promise<void>;
}

/** Several processes may do this on one database. */
export function startPlanEvents(parts: PlanEventParts, log: DatabaseLog): RunningPlanEvents {
  let later: NodeJS.Timeout | undefined;
  const looked: Looked = new Map();
  const loop: TaskLoop = new TaskLoop(
    {
      name: 'plan events',
      delayMs: 0,
      run: async () => {
        await notePlanEvents(parts, looked);
        clearTimeout(later);
        later = setTimeout(() => loop.wake(), LOOK_MS);
        later.unref();
      },
    },
    log,
  );
  loop.wake();
  return {
    wake: () => loop.wake(),
    async stop() {
      await loop.stop();
      clearTimeout(later);
    },
  };
}

/** The state of each plan at the last look, keyed by its number. */
type Looked = Map<number, string>;

/** Maximum number of plans to read at once. */
const PAGE = 50;

async function notePlanEvents(
  { db, generations, sessionDays }: PlanEventParts,
  looked: Looked,
): Promise<void> {
  const generation = generations.current();
  if (generation.id === 0) return;
  const view = { db, generation, sight: undefined, sessionDays };
  const states = await planStates(db, generation.id);
  for (const id of looked.keys()) if (!states.has(id)) looked.delete(id);
  const changed = [...states.keys()].filter((id) => looked.get(id) !== states.get(id));
  for (let at = 0; at < changed.length; at += PAGE) {
    const ids = changed.slice(at, at + PAGE);
    for (const plan of await shownPlansById(view, ids)) {
      const events = eventsOf(plan);
      await endOverdue(db, plan);
      if (events.length > 0) await insertEvents(db, plan.row.id, events);
    }
    for (const id of ids) looked.set(id, states.get(id) as string);
  }
}

/** @returns a text for each started plan that differs when an event is possible: changed rows, the day, and for marks the uploads */
async function planStates(db: Db, generation: number): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; state: string }>`
    select plan.id, concat_ws(' ', plan.xmin, assigned.state, (now() at time zone 'UTC')::date,
      case when json_array_length(plan.marks) > 0 then uploads.state end, levels.state) as state
    from saved_plan plan
    left join (
      select plan_id, string_agg(xmin::text, ',' order by repair) as state from plan_repair group by plan_id
    ) assigned on assigned.plan_id = plan.id
    cross join (
      select concat_ws(' ', ${generation}::integer, (select max(id) from upload_job), (
        select string_agg(concat(id, ':', status), ',' order by id) from upload_job
        where status in (${sql.lit(JOB_STATUS.running)}, ${sql.lit(JOB_STATUS.ingesting)}, ${sql.lit(JOB_STATUS.analyzing)}))) as state
    ) uploads
    cross join (select string_agg(concat(severity, ':', days, ':', since), ',') as state from service_level) levels
    where plan.adopted_at is not null order by plan.id`.execute(db);
  return new Map(rows.map(({ id, state }) => [id, state]));
}

type NewEvent = Omit<Insertable<PlanEventTable>, 'plan_id'>;

/** The plan may have been deleted in the meantime. */
async function insertEvents(db: Db, plan: number, events: readonly NewEvent[]): Promise<void> {
  await sql`
    insert into plan_event (plan_id, repair, change, kind, cause, happened_at, said_by, said_at)
    select plan.id, new.* from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
      as new (repair integer, change integer, kind text, cause text, happened_at timestamptz, said_by text, said_at timestamptz)
    join saved_plan plan on plan.id = ${plan}
    on conflict (plan_id, cause) do nothing`.execute(db);
}

/** The cause of an overdue repair is unique until it is no longer overdue. Then it gets a suffix, so that a later event has a new one. */
async function endOverdue(db: Db, { row, record }: ShownPlan): Promise<void> {
  const overdue = record.repairs.flatMap((repair) => (repair.overdue ? [repair.number] : []));
  await sql`
    update plan_event set cause = concat(cause, ' until ', id)
    where plan_id = ${row.id} and kind = 'overdue' and cause = concat('overdue ', repair)
      and repair <> all (${overdue}::integer[])`.execute(db);
}

/** Events have the time when they happened, which may be long before they are noted. */
function eventsOf({
  record: { changes, repairs, adopted_at: startedAt },
  contradictedAt,
}: ShownPlan): NewEvent[] {
  const none = { said_by: null, said_at: null };
  return repairs.flatMap(({ number: repair, changes: numbers, due, overdue, updated }) => {
    const own = changes.filter(({ number }) => numbers.includes(number));
    const events: NewEvent[] = own.flatMap((change) => changeEvents(repair, change, contradictedAt));
    const last = own.every(({ state }) => state === 'done') ? lastEntry(own) : undefined;
    if (last !== undefined)
      events.push({
        ...{ repair, change: null, kind: 'done', cause: `done ${repair} ${last.generation}` },
        ...{ happened_at: last.at, ...none },
      });
    if (overdue && due !== null)
      events.push({
        ...{ repair, change: null, kind: 'overdue', cause: `overdue ${repair}` },
        happened_at: latest([dayAfter(due), updated?.at ?? startedAt, startedAt, toDoSince(own, startedAt)]),
        ...none,
      });
    return events;
  });
}

const latest = (times: readonly string[]): string => times.reduce((last, at) => (at > last ? at : last));

const earliest = (times: readonly string[]): string => times.reduce((first, at) => (at < first ? at : first));

/** A change that came back is to do since then, and the others since the start of the plan. */
const toDoSince = (changes: readonly AdoptedChange[], startedAt: string): string => {
  const since = changes.flatMap(({ state, history }) =>
    isToDo(state) ? [history.at(-1)?.at ?? startedAt] : [],
  );
  return since.length === 0 ? startedAt : earliest(since);
};

const DAY_MS = 86_400_000;
const dayAfter = (due: string): string => new Date(Date.parse(due) + DAY_MS).toISOString();

type HistoryEntry = AdoptedChange['history'][number];

const lastEntry = (changes: readonly AdoptedChange[]): HistoryEntry | undefined =>
  changes
    .flatMap(({ history }) => history.slice(-1))
    .reduce<HistoryEntry | undefined>(
      (last, entry) => (last !== undefined && last.generation >= entry.generation ? last : entry),
      undefined,
    );

function changeEvents(
  repair: number,
  change: AdoptedChange,
  contradictedAt: ReadonlyMap<number, string>,
): NewEvent[] {
  const { number, state, marked, history } = change;
  const said = { said_by: marked?.by ?? null, said_at: marked?.at ?? null };
  const back = history.findLast((entry) => entry.state === 'undone');
  const events: NewEvent[] = [];
  if (state === 'undone' && back !== undefined)
    events.push({
      ...{ repair, change: number, kind: 'undone', cause: `undone ${number} ${back.generation}` },
      ...{ happened_at: back.at, ...said },
    });
  const at = contradictedAt.get(number);
  if (marked?.evidence === 'contradicted' && at !== undefined && !cameBackAfterMark(change))
    events.push({
      ...{ repair, change: number, kind: 'contradicted', cause: `contradicted ${number} ${marked.at}` },
      ...{ happened_at: at, ...said },
    });
  return events;
}
