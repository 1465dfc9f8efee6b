/** Services for the handlers of the read side. */

import type { DomainSelector } from '@clew/api';
import { createExports, type Exports, startChild } from '@clew/common';
import type { Generation, GenerationSource } from '@clew/generation';
import { ExtensionDirectory } from '@clew/intake';
import type { RulesMode } from '@clew/model';
import {
  type Paths,
  QueryPool,
  type QueryPoolOptions,
  queryDataOf,
  type ReadNodeTexts,
  SearchIndexes,
  WordIndexes,
  warmUp,
} from '@clew/queries';
import {
  type Database,
  type EdgePropertySource,
  type NodePropertySource,
  storedEdgeProperties,
  storedProperties,
} from '@clew/store';
import { readNodeTexts } from './nodeTexts.ts';
import { KindLooks } from './render/kindLooks.ts';

export type QueryDatabase = Pick<Database, 'db' | 'pool'>;

export type EnvironmentRating = Required<
  Pick<DomainSelector, 'impactValue' | 'hygiene_attack_paths' | 'exposures'>
>;

/** Reads ratings by environment id; environments without an analysis are missing. */
export type ReadRatings = () => Promise<ReadonlyMap<string, EnvironmentRating>>;

/**
 * Reads the parts that were not collected, by environment id (`UNREAD_PARTS`). @param generation used because they were measured when it
 * was built; environments that were not collected are missing
 */
export type ReadUnread = (generation: number) => Promise<ReadonlyMap<string, readonly string[]>>;

/** Requests the path with the least attack effort between two nodes. @returns `undefined` without one */
export type EasiestPaths = (
  generation: Generation,
  ends: { readonly start: number; readonly end: number },
  signal: AbortSignal,
) => Promise<Pick<Paths, 'nodes' | 'edges'> | undefined>;

export interface QueryServices {
  readonly generations: GenerationSource;
  readonly properties: NodePropertySource;
  readonly edgeProperties: EdgePropertySource;
  readonly ratings: ReadRatings;
  readonly unread: ReadUnread;
  readonly pool: QueryPool;
  readonly searchIndexes: SearchIndexes;
  readonly wordIndexes: WordIndexes;
  readonly rules: RulesMode;
  readonly database: QueryDatabase;
  readonly exports: Exports;
  readonly looks: Pick<KindLooks, 'read'>;
  /** Definitions of kinds. */
  readonly extensions: Pick<ExtensionDirectory, 'read'>;
  /** Ends threads and subscriptions. */
  close(): Promise<void>;
}

export interface QueryServiceOptions {
  readonly generations: GenerationSource;
  readonly database: QueryDatabase;
  readonly rules: RulesMode;
  /** Default: from the database. */
  readonly properties?: NodePropertySource;
  /** Default: from the database. */
  readonly edgeProperties?: EdgePropertySource;
  readonly ratings: ReadRatings;
  readonly unread: ReadUnread;
  readonly pool?: QueryPoolOptions;
  /** Default: from the database. */
  readonly nodeTexts?: ReadNodeTexts;
  /** Maximum wait of a search for the first word index; default: five seconds. */
  readonly maxWordWaitMs?: number;
  /** Default: uses the connections of requests. */
  readonly exports?: Exports;
  /** Default: from the database. */
  readonly looks?: Pick<KindLooks, 'read'>;
  /** Default: from the database. */
  readonly extensions?: Pick<ExtensionDirectory, 'read'>;
}

function traceQuery(task: string): (hasFailed: boolean) => void {
  const span = startChild('thread query', { attributes: { 'clew.task': task } });
  return (hasFailed) => span.end({}, hasFailed);
}

/** Prepares each generation when it is published, before the first request. */
export function createQueryServices(options: QueryServiceOptions): QueryServices {
  const { generations, database, rules } = options;
  const pool = new QueryPool({ observe: traceQuery, ...options.pool });
  const searchIndexes = new SearchIndexes(pool);
  const extensions = options.extensions ?? new ExtensionDirectory(database.db);
  const readTexts: ReadNodeTexts = options.nodeTexts ?? ((data) => readNodeTexts(database, data));
  const wordIndexes = new WordIndexes(pool, readTexts, options.maxWordWaitMs);
  let warming = new AbortController();
  // Otherwise, the first searches of a generation would wait for it, with a million objects for seconds. The word index takes longer: it
  // starts here, and nothing waits for it.
  const unprepare = generations.beforeSwap(async (generation) => {
    const data = queryDataOf(generation);
    const index = await searchIndexes.get(data);
    wordIndexes.prepare(data, index).catch(() => {});
  });
  const unsubscribe = generations.onSwap((generation) => {
    warming.abort();
    warming = new AbortController();
    pool.keepOnly(generation.id);
    // A failure occurs again, and is reported, in the request that needs the data.
    const prepare = async (): Promise<void> => {
      await warmUp({ pool, searchIndexes, rules }, generation, warming.signal);
      const data = queryDataOf(generation);
      await wordIndexes.prepare(data, await searchIndexes.get(data));
    };
    prepare().catch(() => {});
  });
  return {
    generations,
    properties: options.properties ?? storedProperties(database.db),
    edgeProperties: options.edgeProperties ?? storedEdgeProperties(database.db),
    ratings: options.ratings,
    unread: options.unread,
    pool,
    searchIndexes,
    wordIndexes,
    rules,
    database,
    exports: options.exports ?? createExports(database),
    looks: options.looks ?? new KindLooks(database.db, extensions),
    extensions,
    async close() {
      unprepare();
      unsubscribe();
      warming.abort();
      await pool.close();
    },
  };
}
