/** Loads the newest generation that was published, as a replica does, and a service that starts. */

import type { Generation } from '@clew/generation';
import { type Database, typeParsers } from '@clew/store';
import pg from 'pg';
import { loadZones } from '../findings/findingStep.ts';
import { generationOf } from './finishGeneration.ts';
import { loadGraph } from './loadGraph.ts';

/**
 * @param after number of the generation that is known already
 * @returns nothing when there is no newer one
 */
export async function loadPublished(
  { connection }: Database,
  after: number,
  signal?: AbortSignal,
): Promise<Generation | undefined> {
  const client = new pg.Client({ ...connection, types: typeParsers });
  client.on('error', () => {});
  await client.connect();
  try {
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
