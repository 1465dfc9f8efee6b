/** Brings the staged facts of one job into the store: set-based statements in a fixed sequence, one transaction. */
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
import { placeByDomainName, type Unplaced } from './unplaced.ts';

export interface MergeResult {
  /** Rows of facts that are new, changed or deleted; 0 when the job brought nothing new. */
  readonly changes: number;
  readonly matched: MatchedResult;
  readonly falls: readonly RelationshipFall[];
  readonly unplaced: readonly Unplaced[];
}

/**
 * Columns the statements join by: enough for the planner, and quick. Later batches are of the same size as the first,
 * so its figures hold for them.
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
 * A batch looks for its rows in the tables of the store by their keys. Left to itself, the planner merges batches with the
 * whole of an index: it takes the objects of the first batch, which have neighboring numbers, for those of all, and so the
 * pass for a short one. Pages that were read for one row are in memory for the next.
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

/** The merge of one job: batch by batch while it is being staged, then the steps that need all of it. */
export class Merge {
  readonly #session: MergeSession;
  readonly #pool: pg.Pool;
  #batches = 0;

  /** @param client the session of the staging tables, in a transaction until `finish` has run */
  constructor(client: pg.ClientBase, pool: pg.Pool) {
    this.#session = new MergeSession(client);
    this.#pool = pool;
  }

  /** Before anything is staged. @param readers digest of the code that reads the files */
  begin(readers: string): Promise<void> {
    return noteReaders(this.#session, readers);
  }

  async mergeBatch(): Promise<void> {
    if (this.#batches === 0) await this.#begin();
    // It grows from file to file, and statements that take it for a row or two go through the batch once for each.
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
   * @param storedRows rows of facts that staging wrote by itself
   * @param isNews false where all files of the job were read before, byte for byte
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
    await session.run(REGISTER_SOURCE_KINDS);
    const { changes } = session;
    const reread = await isReread(session);
    if (changes > 0) await session.run(NEXT_VERSION, [isNews || !reread, reread]);
    return { changes, matched, falls, unplaced };
  }
}
