/**
 * Differences of generations in the store. Each leads back to an earlier generation, usually the previous one; if another process published
 * in between, further back. So the differences of any period form a chain.
 *
 * Rule: `docs/history.md`.
 */
import type { Generation } from '@clew/generation';
import {
  type AttackGraph,
  type GraphDifference,
  graphDifference,
  joinDifferences,
  type NodeProperties,
} from '@clew/graph';
import type { Db, PastExposure } from '@clew/store';
import { sql } from 'kysely';
import type pg from 'pg';
import { packDifference, unpackDifference } from './packDifference.ts';
import { packSettings, type Settings, settingsOf, unpackSettings } from './settings.ts';

/** With more changed objects and relations, it is another organization, not a change of the same one. */
const MAX_CHANGES = 2_000_000;

export interface NewDifference {
  /** Packed settings. */
  readonly settings: Buffer;
  /** Missing for the first generation with objects. */
  readonly since?: number;
  /** Missing for the first generation, and if too much changed. */
  readonly packed?: Buffer;
}

/** @param properties node properties of the new graph */
export function differenceTo(
  previous: Generation | undefined,
  graph: AttackGraph,
  properties: NodeProperties,
): NewDifference {
  const settings = packSettings(settingsOf(graph, properties));
  if (previous === undefined || previous.graph.nodeCount === 0) return { settings };
  const difference = graphDifference(previous.graph, graph, MAX_CHANGES);
  return { settings, since: previous.id, ...(difference && { packed: packDifference(difference) }) };
}

/** @param client in the transaction that publishes the generation, after its findings */
export async function writeDifference(
  client: pg.ClientBase,
  generation: number,
  { since, packed, settings }: NewDifference,
): Promise<void> {
  await client.query(
    `insert into generation_difference (generation_id, since_generation_id, difference, exposure, settings, instant)
     select $1, since.id, case when since.id is not null then $3::bytea end, (
       select coalesce(jsonb_agg(jsonb_build_object(
         'environment_id', environment_id, 'tag_id', tag_id, 'share', exposure_index)), '[]')
       from posture_stat join finding_run on finding_run.id = run_id where generation_id = $1
     ), $4, publication_clock.published_at
     -- The base of the comparison may be deleted by now.
     from publication_clock left join generation since on since.id = $2`,
    [generation, since ?? null, packed ?? null, settings],
  );
}

export interface GenerationInstant {
  readonly id: number;
  readonly publishedAt: string;
}

export interface PastDifference {
  /** The generation compared with the newest. */
  readonly base: GenerationInstant;
  /** False if changes before the base are unknown although it is later than the requested time. */
  readonly reachesBack: boolean;
  readonly difference: GraphDifference;
  readonly before: Snapshot;
  readonly after: Snapshot;
}

/** Values stored for a generation in addition to its difference. */
export interface Snapshot {
  /** Instant of the generation; everything published with it has this instant or an earlier one. */
  readonly instant: string;
  /** Empty if no longer kept. */
  readonly exposure: readonly PastExposure[];
  /** Missing if no longer kept. */
  readonly settings?: Settings;
}

/** Follows differences back to the first one that is not kept, without reading them. */
const chainBack = (newest: GenerationInstant, since: string) => sql`
  with recursive chain as (
    select generation_id, since_generation_id, difference is not null as is_kept, 1 as depth
    from generation_difference where generation_id = ${newest.id} and ${newest.publishedAt}::timestamptz > ${since}
    union all
    select earlier.generation_id, earlier.since_generation_id, earlier.difference is not null, depth + 1
    from chain
    join generation on generation.id = chain.since_generation_id and published_at > ${since}
    join generation_difference earlier on earlier.generation_id = generation.id
    where chain.is_kept
  )`;

/**
 * @param newest the generation to compare
 * @param since time in store format; the base is the last generation at or before it
 */
export async function differenceSince(
  db: Db,
  newest: GenerationInstant,
  since: string,
): Promise<PastDifference> {
  const { rows } = await sql<{ id: number; published_at: string; packed: Buffer | null }>`
    ${chainBack(newest, since)}
    select base.id, base.published_at, difference as packed from chain
    join generation base on base.id = since_generation_id
    join generation_difference own on own.generation_id = chain.generation_id
    order by depth`.execute(db);
  let base = newest;
  const differences: GraphDifference[] = [];
  for (const { id, published_at, packed } of rows) {
    if (packed === null) break;
    differences.unshift(unpackDifference(packed));
    base = { id, publishedAt: published_at };
  }
  return {
    base,
    before: await snapshotOf(db, base),
    after: await snapshotOf(db, newest),
    reachesBack: base.publishedAt <= since,
    difference: joinDifferences(differences),
  };
}

/**
 * @param until time in store format
 * @returns the last generation at or before it, within the range of the differences; otherwise the oldest known
 */
export async function generationAt(
  db: Db,
  newest: GenerationInstant,
  until: string,
): Promise<GenerationInstant> {
  const { rows } = await sql<{ id: number; published_at: string }>`
    ${chainBack(newest, until)}
    select base.id, base.published_at from chain join generation base on base.id = since_generation_id
    where is_kept order by depth desc limit 1`.execute(db);
  return rows.length === 0 ? newest : { id: rows[0].id, publishedAt: rows[0].published_at };
}

async function snapshotOf(db: Db, { id, publishedAt }: GenerationInstant): Promise<Snapshot> {
  const row = await db
    .selectFrom('generation_difference')
    .select(['instant', 'exposure', 'settings'])
    .where('generation_id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return { instant: publishedAt, exposure: [] };
  return { ...row, settings: unpackSettings(row.settings) };
}

/** @param days 0 keeps all @returns the number of deleted differences */
export async function pruneDifferences(db: Db, days: number): Promise<number> {
  if (days === 0) return 0;
  const { numDeletedRows } = await db
    .deleteFrom('generation_difference')
    .using('generation')
    .whereRef('generation.id', '=', 'generation_difference.generation_id')
    .where('published_at', '<', sql<string>`now() - make_interval(days => ${days})`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
