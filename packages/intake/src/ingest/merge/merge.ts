/** Merges the staged facts of one job into the store: set-based statements in a fixed order, in one transaction. */
import type pg from 'pg';
import { CLEAR_BATCH } from '../staging/stagingTables.ts';
import { whatBatchHas } from './batchContents.ts';
import { mergeDeletions } from './deletions.ts';
import { mergeEdgeSets } from './edgeSets.ts';
import { findFalls, type RelationshipFall } from './falls.ts';
import { mergeKnownRecords } from './knownRecords.ts';
import { findLateNodes, putLateNodesAside, stageLateNodes } from './lateNodes.ts';
import { type MatchedResult, resolveMatchedEdges } from './matchedEdges.ts';
import { mergeHints, mergeNodes } from './nodes.ts';
import { forgetOpenRecords, mergeOpenSets } from './openSets.ts';
import { isReread, noteReaders } from './rereading.ts';
import { mergeSamples } from './samples.ts';
import { mergeSightings } from './sightings.ts';
import { MergeSession } from './statement.ts';
import { findUnknownEnvironments, type UnknownEnvironment } from './unknownEnvironments.ts';
import { placeByDomainName, type Unplaced } from './unplaced.ts';

export interface MergeResult {
  /** Number of fact rows that were added, changed or deleted; 0 if the job contained nothing new. */
  readonly changes: number;
  readonly matched: MatchedResult;
  readonly falls: readonly RelationshipFall[];
  readonly unplaced: readonly Unplaced[];
  readonly unknownEnvironments: readonly UnknownEnvironment[];
}

/**
 * The columns used in joins: enough statistics for the planner, and fast. Later batches have the same size, so the
 * statistics of the first batch remain valid.
 */
const BATCH_COLUMNS = [
  'stage_node (id, origin)',
  'stage_node_again (id)',
  'stage_mention (id, origin)',
  'stage_set (owner_id, aspect, source_id, origin)',
  'stage_set_again (owner_id, aspect, source_id)',
  'stage_emptied',
  'stage_origin',
];
const JOB_COLUMNS = [
  'stage_described (id, origin)',
  'stage_seen (id, origin)',
  'stage_hint (id)',
  'stage_sample (start_id, kind_id, end_id)',
  'stage_dated',
  'stage_origin',
];

/**
 * Forces index lookups for the rows of a batch. By default, the planner chooses a merge join with a whole index:
 * it extrapolates from the first batch, whose object numbers are adjacent, and so expects a short scan. Pages read
 * for one row are cached for the next.
 */
const LOOK_UP = 'set local enable_mergejoin = off; set local random_page_cost = 0.1';
const LOOK_UP_NO_MORE = 'set local enable_mergejoin to default; set local random_page_cost to default';

const REGISTER_SOURCE_KINDS = `
insert into source_kind (name)
select distinct source_kind from source join stage_origin on source_id = source.id
where source_kind is not null and source_kind not in (select name from source_kind)
on conflict do nothing`;

/** The reasons for a new version of the facts: data, changed readers, or both. */
const NEXT_VERSION = `
update facts_state
set version = version + 1,
    data_version = case when $1 then version + 1 else data_version end,
    reread_version = case when $2 then version + 1 else reread_version end`;

/** The merge of one job: batch by batch during staging, then the steps that need the whole job. */
export class Merge {
  readonly #session: MergeSession;
  readonly #pool: pg.Pool;
  #batches = 0;

  /** @param client the session of the staging tables, in a transaction until `finish` has run */
  constructor(client: pg.ClientBase, pool: pg.Pool) {
    this.#session = new MergeSession(client);
    this.#pool = pool;
  }

  /** Must be called before staging. @param readers digest of the code that reads the files */
  begin(readers: string): Promise<void> {
    return noteReaders(this.#session, readers);
  }

  async mergeBatch(): Promise<void> {
    if (this.#batches === 0) await this.#begin();
    // The table grows with each file, and plans that assume one or two rows would scan the batch once per
    // row.
    else await this.#session.run('analyze stage_origin');
    const has = await whatBatchHas(this.#session);
    await putLateNodesAside(this.#session, this.#batches++);
    await mergeNodes(this.#session, has);
    await mergeEdgeSets(this.#session, has);
    await this.#session.run(CLEAR_BATCH);
  }

  async #begin(): Promise<void> {
    await this.#session.run(`analyze ${BATCH_COLUMNS.join(', ')}`);
    await findLateNodes(this.#session);
    await this.#session.run(LOOK_UP);
  }

  /**
   * @param storedRows number of fact rows that staging wrote directly
   * @param isNews false if all files of the job were read before, byte for byte
   */
  async finish(storedRows: number, isNews = true): Promise<MergeResult> {
    const session = this.#session;
    session.changes += storedRows;
    await session.run(LOOK_UP_NO_MORE);
    await session.run(`analyze ${JOB_COLUMNS.join(', ')}`);
    await stageLateNodes(session);
    await mergeNodes(session, await whatBatchHas(session));
    await session.run(CLEAR_BATCH);
    await mergeOpenSets(session);
    await mergeHints(session);
    const unplaced = await placeByDomainName(session);
    const matched = await resolveMatchedEdges(session);
    await mergeEdgeSets(session, await whatBatchHas(session));
    await mergeSightings(session);
    await mergeSamples(session);
    session.changes += await session.written.countChanges(this.#pool);
    await mergeDeletions(session);
    await mergeKnownRecords(session);
    await forgetOpenRecords(session);
    const falls = await findFalls(session);
    const unknownEnvironments = await findUnknownEnvironments(session);
    await session.run(REGISTER_SOURCE_KINDS);
    const { changes } = session;
    const reread = await isReread(session);
    if (changes > 0) await session.run(NEXT_VERSION, [isNews || !reread, reread]);
    return { changes, matched, falls, unplaced, unknownEnvironments };
  }
}
