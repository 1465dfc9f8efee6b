/** Loads the newest published generation, for replicas and for a service that starts. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Generation } from '@clew/generation';
import { loadZones } from '@clew/judgment';
import { type ConnectionConfig, type Database, type DatabaseLog, ServerClient } from '@clew/store';
import { generationOf } from './finishGeneration.ts';
import { loadGraph } from './loadGraph.ts';

const REPLICA_PATIENCE_MS = 10_000;
const REPLICA_POLL_MS = 100;

export interface PublishedSource {
  readonly database: Database;
  /** A standby to load from; the primary is used if the standby is behind or fails. */
  readonly replica?: ConnectionConfig;
  /** Time limit for loading published data. Default: 10 s. */
  readonly replicaPatienceMs?: number;
  readonly log: DatabaseLog;
}

/** @param after number of the generation that is already known @returns `undefined` if no newer one exists */
export async function loadPublished(
  { database, replica, replicaPatienceMs = REPLICA_PATIENCE_MS, log }: PublishedSource,
  after: number,
  signal?: AbortSignal,
): Promise<Generation | undefined> {
  if (replica !== undefined) {
    const newest = await newestPublished(database);
    if (newest <= after) return undefined;
    try {
      const deadline = performance.now() + replicaPatienceMs;
      for (;;) {
        const generation = await loadFrom(replica, newest - 1, signal);
        if (generation !== undefined) return generation;
        if (performance.now() > deadline) throw new Error(`generation ${newest} has not arrived there`);
        await sleep(REPLICA_POLL_MS, undefined, { signal });
      }
    } catch (error) {
      signal?.throwIfAborted();
      log.warn({ err: error }, 'cannot load from the replica of the database; loading from the database');
    }
  }
  return loadFrom(database.connection, after, signal);
}

async function newestPublished({ db }: Database): Promise<number> {
  const { newest } = await db
    .selectFrom('generation')
    .select((eb) => eb.fn.max('id').as('newest'))
    .executeTakeFirstOrThrow();
  return Number(newest ?? 0);
}

async function loadFrom(
  connection: ConnectionConfig,
  after: number,
  signal?: AbortSignal,
): Promise<Generation | undefined> {
  const client = new ServerClient(connection);
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('begin isolation level repeatable read read only');
    const { rows } = await client.query<{ id: number; published_at: string }>(
      'select id, published_at from generation where id > $1 order by id desc limit 1',
      [after],
    );
    if (rows.length === 0) return undefined;
    const loaded = await loadGraph(client, { derived: true, signal });
    const zones = await loadZones(client, loaded.graph, loaded.marks);
    await client.query('commit');
    const published = { id: rows[0].id, publishedAt: rows[0].published_at, zones };
    return generationOf(published, loaded, loaded.graph);
  } finally {
    await client.end().catch(() => {});
  }
}
