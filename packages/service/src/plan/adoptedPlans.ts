/** Plans that are carried out, in the database and in words. */
import type { AdoptedChange, AdoptionRecord, PlanRecord } from '@clew/api';
import type { Generation } from '@clew/generation';
import type { Db, SavedPlanTable } from '@clew/store';
import { type Selectable, sql } from 'kysely';
import type { AdoptedFound, AdoptionFacts } from './adoption.ts';
import { percentText, typicalText } from './cardTexts.ts';
import type { Planner } from './planner.ts';

interface StoredProgress extends AdoptedFound {
  readonly generation: number;
  readonly published_at: string;
}

/** Whether a plan that is carried out was not compared with the generation yet. */
export async function hasUnfollowed(db: Db, generation: number): Promise<boolean> {
  const row = await unfollowed(db, generation).select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

const unfollowed = (db: Db, generation: number) =>
  db
    .selectFrom('saved_plan')
    .where('adopted_at', 'is not', null)
    .where((where) =>
      where.or([
        where('progress', 'is', null),
        where(sql<number>`(progress->>'generation')::integer`, '<', generation),
      ]),
    );

/** Compares each plan that is carried out with the generation. */
export async function followAdopted(
  db: Db,
  planner: Planner,
  generation: Generation,
  signal: AbortSignal,
): Promise<void> {
  const rows = await unfollowed(db, generation.id).select(['id', 'adoption', 'progress']).execute();
  for (const { id, adoption, progress } of rows) {
    const before = (progress as StoredProgress | null)?.changes ?? [];
    const input = { adoption: adoption as AdoptionFacts, before };
    const found = await planner.run(generation, 'adopted', input, signal);
    const stored: StoredProgress = {
      generation: generation.id,
      published_at: generation.publishedAt,
      ...found,
    };
    await db
      .updateTable('saved_plan')
      .set({ progress: JSON.stringify(stored) })
      .where('id', '=', id)
      .execute();
  }
}

type AdoptedRow = Pick<Selectable<SavedPlanTable>, 'id' | 'name' | 'adopted_at' | 'adoption' | 'progress'>;

/** The newest first. */
export async function adoptionRecords(db: Db): Promise<AdoptionRecord[]> {
  const rows = await db
    .selectFrom('saved_plan')
    .select(['id', 'name', 'adopted_at', 'adoption', 'progress'])
    .where('adopted_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(MAX_ADOPTED)
    .execute();
  return rows.map(adoptionRecord);
}

/** More are not shown at once. */
const MAX_ADOPTED = 100;

/** Before the next analysis a plan is as it was adopted. */
export function adoptionRecord(row: AdoptedRow): AdoptionRecord {
  const adoption = row.adoption as AdoptionFacts;
  const adoptedAt = row.adopted_at as string;
  const found = (row.progress as StoredProgress | null) ?? asAdopted(adoption, adoptedAt);
  const { changes } = found;
  const done = changes.filter(({ state }) => state === 'done').length;
  return {
    ...{ plan_id: row.id, name: row.name, adopted_at: adoptedAt, asset_group_tag_id: adoption.zone },
    ...found,
    ...{ done_count: done, change_count: changes.length, package_count: adoption.packages.length },
    text: progressText(done, changes, found),
    other: otherText(adoption, found),
  };
}

function asAdopted(adoption: AdoptionFacts, at: string): StoredProgress {
  const changes = adoption.packages.flatMap(({ title, changes: all }) =>
    all.map(
      (change): AdoptedChange => ({
        ...{ title: change.title, package: title, state: 'open', done_count: 0, history: [] },
        fact_count: Math.max(1, change.removed.length + change.properties.length),
      }),
    ),
  );
  return {
    ...{ generation: adoption.generation, published_at: at, changes, package_done_count: 0 },
    ...{ before: adoption.exposure, now: adoption.exposure },
    ...{ effort_before: [...adoption.effort], effort_now: [...adoption.effort] },
  };
}

type Exposures = PlanRecord['before'];

const sum = (all: Exposures) => ({
  exposed: all.reduce((total, { exposed_count }) => total + exposed_count, 0),
  principals: all.reduce((total, { principal_count }) => total + principal_count, 0),
});

/** "2 of 5 done, 100% -> 62%": only what the changes took away. */
function progressText(done: number, changes: readonly AdoptedChange[], found: AdoptedFound): string {
  const [from, to] = [sum(found.before), sum(found.now)];
  const shares = `${percentText(from.exposed, from.principals)} -> ${percentText(to.exposed, to.principals)}`;
  const undone = changes.filter(({ state }) => state === 'undone').length;
  const unseen = changes.filter(({ state }) => state === 'not-seen').length;
  const rises = found.effort_before.flatMap((before) => {
    const now = found.effort_now.find(({ environment_id }) => environment_id === before.environment_id);
    const order = (typical: number | null): number => typical ?? Number.POSITIVE_INFINITY;
    if (now === undefined || order(now.typical) <= order(before.typical)) return [];
    return [`${before.environment_name} ${typicalText(before.typical)} -> ${typicalText(now.typical)}`];
  });
  return [
    `${done} of ${changes.length} done, ${shares}`,
    ...(rises.length > 0 ? [`typical attack effort ${rises.join(', ')}`] : []),
    ...(undone > 0 ? [`${undone} undone again`] : []),
    ...(unseen > 0 ? [`${unseen} resting on sessions that were not seen again, which is no proof`] : []),
  ].join('; ');
}

/** What moved since it was adopted without any of its changes. */
function otherText({ exposure }: AdoptionFacts, { before }: AdoptedFound): string {
  const [from, to] = [sum(exposure), sum(before)];
  if (from.exposed === to.exposed && from.principals === to.principals) return '';
  const shares = `${percentText(from.exposed, from.principals)} -> ${percentText(to.exposed, to.principals)}`;
  return `Without these changes exposure would have moved ${shares} since then: by sessions, other changes, or a fuller collection.`;
}
