/**
 * Writes the facts of a job's files to the staging tables: ids and kinds become numbers, sets become sorted
 * arrays. Each complete batch is merged while the next one is read.
 *
 * Files are staged in an order that does not depend on the upload (see `jobFiles.ts`), and objects in file order,
 * so equal files give equal results.
 */
import type { ObjectFacts } from '@clew/model';
import type { ObjectIdDictionary } from '@clew/store';
import type { KnownRecords } from '../known/knownRecords.ts';
import { PassedRecords } from '../known/passedRecords.ts';
import { RecordMemory } from '../known/recordMemory.ts';
import { RecordNotes } from '../known/recordNotes.ts';
import { Touches } from '../known/touches.ts';
import { type FileScope, Place } from './fileScope.ts';
import type { IdSet } from './idSet.ts';
import type { KindNames } from './kindNames.ts';
import { Mentions } from './mentions.ts';
import { NodeStager } from './nodeStager.ts';
import { Numbers } from './numbers.ts';
import { NOTHING_OWN, OwnAspectsOfRecord } from './ownAspects.ts';
import { SetStager } from './setStager.ts';
import type { StagingTables } from './stagingTables.ts';

/** Number of objects per batch: enough to amortize the statements, few enough to overlap with reading. */
const BATCH_OBJECTS = 20_000;

export interface FactStagerOptions {
  readonly tables: StagingTables;
  readonly dictionary: ObjectIdDictionary;
  readonly kinds: KindNames;
  /** Merges the staged rows of a batch; runs in the session of the tables, after the rows were sent. */
  readonly mergeBatch: () => Promise<void>;
  readonly batchObjects?: number;
  /** Known records, which are skipped if they are repeated. */
  readonly known?: KnownRecords;
}

export class FactStager {
  readonly #options: FactStagerOptions;
  readonly #numbers: Numbers;
  readonly #mentions: Mentions;
  readonly #nodes: NodeStager;
  readonly #sets: SetStager;
  readonly #notes = new RecordNotes();
  readonly #memory: RecordMemory;
  readonly #passed: PassedRecords | undefined;
  #objects = 0;

  constructor(options: FactStagerOptions) {
    const { tables, dictionary, kinds, known } = options;
    this.#options = options;
    this.#numbers = new Numbers(dictionary, kinds);
    this.#mentions = new Mentions(tables, this.#numbers);
    const touches = new Touches();
    this.#memory = new RecordMemory(tables, this.#numbers, touches);
    this.#passed = known && new PassedRecords(tables, known, touches);
    this.#nodes = new NodeStager(tables, this.#numbers, this.#mentions, this.#memory);
    this.#sets = new SetStager(tables, this.#numbers, this.#mentions);
  }

  /**
   * Stages some objects. Calls must not overlap: await each one before the next.
   * @param passed known records that were skipped before these objects
   * @throws PassedTooSoon
   */
  async add(
    scope: FileScope,
    objects: readonly ObjectFacts[],
    passed: readonly number[] = [],
  ): Promise<void> {
    await this.#numbers.resolve(objects);
    for (const record of passed) {
      const aspects = this.#passed?.add(scope, record);
      if (aspects !== undefined) this.#sets.passed(scope.sourceId, aspects);
    }
    for (const facts of objects) {
      this.#addObject(scope, facts);
      if (++this.#objects % (this.#options.batchObjects ?? BATCH_OBJECTS) === 0) this.#endBatch();
    }
    await this.#options.tables.written();
  }

  /** @param sightingOrigin file with the same source and time, under which the objects are recorded as seen */
  endFile(seen: IdSet, sightingOrigin: number): void {
    this.#mentions.endFile(seen, sightingOrigin);
  }

  /** Called when all files are staged: merges the last batch, and sends the rows that are merged once per job. */
  async endJob(): Promise<void> {
    this.#endBatch();
    await this.#mentions.endJob();
    await this.#sets.endJob();
    await this.#options.tables.flush();
  }

  #endBatch(): void {
    this.#mentions.endBatch();
    this.#nodes.endBatch();
    this.#sets.endBatch();
    this.#options.tables.runAfterRows(this.#options.mergeBatch);
  }

  #addObject(scope: FileScope, facts: ObjectFacts): void {
    this.#notes.begin();
    const place = new Place(scope, facts, this.#notes);
    const own = new OwnAspectsOfRecord(facts.nodes);
    for (const set of facts.edgeSets) this.#sets.add(place, set, own.of(set.ownerId));
    for (const node of facts.nodes) this.#nodes.add(place, node, own.of(node.objectId) ?? NOTHING_OWN);
    if (facts.deletedIds !== undefined) {
      for (const objectId of facts.deletedIds) this.#nodes.delete(place, objectId);
    }
    this.#memory.add(this.#notes, scope.sourceId, facts.digest);
  }
}
