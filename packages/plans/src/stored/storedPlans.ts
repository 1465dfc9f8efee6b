/**
 * Plans of zones in the database. Each belongs to a generation and a basis (costs, goal, constraints). Each zone has the newest
 * complete plan, and the unfinished plan that will replace it.
 */
import { createHash } from 'node:crypto';
import type { Generation } from '@clew/generation';
import { DEFAULT_GOAL } from '@clew/model';
import { type Db, type ZonePlanTable, ZoneType } from '@clew/store';
import { sql, type Updateable } from 'kysely';
import { principalsOf } from '../tasks/cardRecords.ts';
import { constraintFacts, type StoredConstraint } from '../tasks/constraints.ts';
import type { StoredCard, StoredPlan } from '../tasks/storedPlan.ts';

/** Active constraints, oldest first. */
export function activeConstraints(db: Db): Promise<StoredConstraint[]> {
  return db
    .selectFrom('plan_constraint')
    .selectAll()
    .where((where) => where.or([where('until', 'is', null), where('until', '>', sql<string>`now()`)]))
    .orderBy('id')
    .execute();
}

/** Hashes the input of a plan other than the generation: a different input makes a different plan. */
export function basisOf(costs: object, constraints: readonly StoredConstraint[]): string {
  const sorted = Object.entries(costs).sort(([a], [b]) => (a < b ? -1 : 1));
  const facts = [sorted, DEFAULT_GOAL, constraints.map(constraintFacts)];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32);
}

/** Zones that have plans. */
export async function plannedZones(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('asset_group_tag')
    .select('id')
    .where('type', '=', ZoneType.zone)
    .where('analysis_enabled', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .execute();
  return rows.map(({ id }) => id);
}

export interface MadePlan {
  readonly plan: StoredPlan;
  /** The outcome without exclusions; missing if nothing is excluded. */
  readonly without?: PlanOutcome;
}

export interface PlanOutcome {
  readonly exposed_count: number;
  readonly cost: number;
  readonly card_count: number;
}

export interface CompletePlan extends MadePlan {
  readonly generation: number;
  readonly basis: string;
  readonly madeAt: string;
}

/**
 * Plans of earlier releases lack the number of exposed users and computers before each card: it is the number after the previous
 * card.
 */
export function withBases(plan: StoredPlan): StoredPlan {
  const cards = plan.cards.map((card, at): StoredCard => {
    const before = plan.cards[at - 1]?.exposure ?? plan.before;
    // The type describes plans of this release only.
    const known = (card as Partial<StoredCard>).principals_before;
    return { ...card, principals_before: known ?? principalsOf(before) };
  });
  return { ...plan, cards };
}

/** @returns the newest complete plan of a zone */
export const completePlan = (db: Db, zone: number): Promise<CompletePlan | undefined> =>
  newestPlan(db, zone, '=');

async function newestPlan(db: Db, zone: number, complete: '=' | '!='): Promise<CompletePlan | undefined> {
  const row = await db
    .selectFrom('zone_plan')
    .select(['generation', 'basis', 'finished_at', 'plan'])
    .where('zone', '=', zone)
    .where('state', complete, 'complete')
    .where('plan', 'is not', null)
    .orderBy('generation', 'desc')
    .orderBy('finished_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { generation, basis, finished_at, plan } = row;
  const made = plan as MadePlan;
  return { generation, basis, madeAt: finished_at as string, ...made, plan: withBases(made.plan) };
}

/** @returns the newest cards of an unfinished plan */
export const draftPlan = (db: Db, zone: number): Promise<CompletePlan | undefined> =>
  newestPlan(db, zone, '!=');

/** Gets the progress of the plan of a generation and basis. @returns undefined if it was not started */
export function planRow(db: Db, zone: number, generation: number, basis: string) {
  return db
    .selectFrom('zone_plan')
    .select(['state', 'published_at', 'started_at', 'cards', 'exposed', 'fault'])
    .where('zone', '=', zone)
    .where('generation', '=', generation)
    .where('basis', '=', basis)
    .executeTakeFirst();
}

export interface PlanKey {
  readonly zone: number;
  readonly generation: number;
  readonly basis: string;
}

export async function beginPlan(db: Db, key: PlanKey, { publishedAt }: Generation): Promise<void> {
  const empty = { exposed: null, fault: null, plan: null, finished_at: null };
  const fresh = { state: 'computing' as const, cards: 0, ...empty };
  await db
    .insertInto('zone_plan')
    .values({ ...key, ...fresh, published_at: publishedAt })
    .onConflict((conflict) =>
      conflict
        .columns(['zone', 'generation', 'basis'])
        .doUpdateSet({ ...fresh, started_at: sql`clock_timestamp()` }),
    )
    .execute();
}

export async function notePlan(db: Db, key: PlanKey, set: { cards: number; exposed: number }): Promise<void> {
  await updatePlan(db, key, set).where('state', '=', 'computing').execute();
}

/** Stores cards to show until the plan is complete. They replace the cards of stopped plans. */
export async function noteDraft(db: Db, key: PlanKey, plan: StoredPlan): Promise<void> {
  const made: MadePlan = { plan };
  await updatePlan(db, key, { plan: JSON.stringify(made), cards: plan.cards.length, finished_at: new Date() })
    .where('state', '=', 'computing')
    .execute();
  await db
    .deleteFrom('zone_plan')
    .where('zone', '=', key.zone)
    .where('state', '=', 'computing')
    .where('generation', '<', key.generation)
    .execute();
}

/** Called when a newer generation is published: the available cards stay in use until the new plan has some. */
export async function stopPlan(db: Db, { zone, generation, basis }: PlanKey): Promise<void> {
  await db
    .deleteFrom('zone_plan')
    .where('zone', '=', zone)
    .where('generation', '=', generation)
    .where('basis', '=', basis)
    .where('state', '=', 'computing')
    .where('plan', 'is', null)
    .execute();
}

/** Stores a complete plan, which replaces all others of its zone. */
export async function keepPlan(db: Db, key: PlanKey, made: MadePlan): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom('zone_plan')
      .where('zone', '=', key.zone)
      .where('state', '!=', 'computing')
      .execute();
    await updatePlan(transaction, key, {
      ...{ state: 'complete', plan: JSON.stringify(made), cards: made.plan.cards.length },
      finished_at: new Date(),
    }).execute();
    // Deletes plans of deleted generations left by a process that died.
    await transaction
      .deleteFrom('zone_plan')
      .where('zone', '=', key.zone)
      .where('state', '=', 'computing')
      .where('generation', '<=', key.generation)
      .execute();
  });
}

export async function failPlan(db: Db, key: PlanKey, fault: string): Promise<void> {
  await updatePlan(db, key, { state: 'failed', fault }).execute();
}

const updatePlan = (db: Db, { zone, generation, basis }: PlanKey, set: Updateable<ZonePlanTable>) =>
  db
    .updateTable('zone_plan')
    .set(set)
    .where('zone', '=', zone)
    .where('generation', '=', generation)
    .where('basis', '=', basis);
