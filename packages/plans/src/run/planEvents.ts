/**
 * Notes events of the repairs of started plans, once each: done, undone, a contradicted mark, a day that passed. Webhooks and the proof of a
 * plan read them.
 *
 *   plans followed, or once a minute -> state of each repair -> events that are not known yet -> stored
 *
 * Rule: `docs/plan.md#proof`.
 */
import type { AdoptedChange, AdoptionRecord } from '@clew/api';
import { TaskLoop } from '@clew/common';
import type { GenerationSource } from '@clew/generation';
import type { DatabaseLog, Db, PlanEventTable } from '@clew/store';
import { type Insertable, sql } from 'kysely';
import { startedPlanRecords, wasVerified } from '../stored/startedPlans.ts';

/** A mark may be contradicted, and a day pass, without a new analysis. */
const LOOK_MS = 60_000;

export interface PlanEventParts {
  readonly db: Db;
  readonly generations: GenerationSource;
  /** Days for which scheduled logon sessions count; 0 for no limit. */
  readonly sessionDays: number;
}

export interface RunningPlanEvents {
  /** Looks at once. */
  wake(): void;
  stop(): Promise<void>;
}

/** Any number of processes may do this on one database. */
export function startPlanEvents(parts: PlanEventParts, log: DatabaseLog): RunningPlanEvents {
  let later: NodeJS.Timeout | undefined;
  const loop: TaskLoop = new TaskLoop(
    {
      name: 'plan events',
      delayMs: 0,
      run: async () => {
        await notePlanEvents(parts);
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

async function notePlanEvents({ db, generations, sessionDays }: PlanEventParts): Promise<void> {
  const generation = generations.current();
  if (generation.id === 0) return;
  const view = { db, generation, sight: undefined, sessionDays };
  for (const record of await startedPlanRecords(view, () => true)) {
    const events = eventsOf(record);
    if (events.length > 0) await insertEvents(db, record.plan_id, events);
  }
}

type NewEvent = Omit<Insertable<PlanEventTable>, 'plan_id'>;

/** The plan may be deleted in the meantime. */
async function insertEvents(db: Db, plan: number, events: readonly NewEvent[]): Promise<void> {
  await sql`
    insert into plan_event (plan_id, repair, change, kind, cause, happened_at, said_by, said_at)
    select plan.id, new.* from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
      as new (repair integer, change integer, kind text, cause text, happened_at timestamptz, said_by text, said_at timestamptz)
    join saved_plan plan on plan.id = ${plan}
    on conflict (plan_id, cause) do nothing`.execute(db);
}

function eventsOf({ changes, repairs }: AdoptionRecord): NewEvent[] {
  const now = new Date().toISOString();
  const none = { said_by: null, said_at: null };
  return repairs.flatMap(({ number: repair, changes: numbers, due, overdue }) => {
    const own = changes.filter(({ number }) => numbers.includes(number));
    const events: NewEvent[] = own.flatMap((change) => changeEvents(repair, change, now));
    const last = own.every(({ state }) => state === 'done') ? lastEntry(own) : undefined;
    if (last !== undefined)
      events.push({
        ...{ repair, change: null, kind: 'done', cause: `done ${repair} ${last.generation}` },
        ...{ happened_at: last.at, ...none },
      });
    if (overdue && due !== null)
      events.push({
        ...{ repair, change: null, kind: 'overdue', cause: `overdue ${repair} ${due}` },
        ...{ happened_at: now, ...none },
      });
    return events;
  });
}

type HistoryEntry = AdoptedChange['history'][number];

const lastEntry = (changes: readonly AdoptedChange[]): HistoryEntry | undefined =>
  changes
    .flatMap(({ history }) => history.slice(-1))
    .reduce<HistoryEntry | undefined>(
      (last, entry) => (last !== undefined && last.generation >= entry.generation ? last : entry),
      undefined,
    );

function changeEvents(repair: number, change: AdoptedChange, now: string): NewEvent[] {
  const { number, state, marked, history } = change;
  const said = { said_by: marked?.by ?? null, said_at: marked?.at ?? null };
  const back = history.findLast((entry) => entry.state === 'undone');
  const events: NewEvent[] = [];
  if (state === 'undone' && back !== undefined)
    events.push({
      ...{ repair, change: number, kind: 'undone', cause: `undone ${number} ${back.generation}` },
      ...{ happened_at: back.at, ...said },
    });
  if (marked?.evidence === 'contradicted' && !wasVerified(change))
    events.push({
      ...{ repair, change: number, kind: 'contradicted', cause: `contradicted ${number} ${marked.at}` },
      ...{ happened_at: now, ...said },
    });
  return events;
}
