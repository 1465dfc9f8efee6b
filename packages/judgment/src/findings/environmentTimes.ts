/** The age of the facts and findings of each environment. */
import type { Generation } from '@clew/generation';
import { findNamedNode, NO_NODE } from '@clew/graph';
import { type Db, storedProperties } from '@clew/store';
import { sql } from 'kysely';

export interface EnvironmentTimes {
  readonly id: string;
  /** Its name, or its id if it has none. */
  readonly environment: string;
  readonly collectedAt: Date | undefined;
  /** Publication time of its latest analysis. */
  readonly analyzedAt: Date | undefined;
}

/** @returns the times of the collected environments of the graph */
export async function environmentTimes(db: Db, generation: Generation): Promise<readonly EnvironmentTimes[]> {
  const collected = await collectionTimes(db, generation);
  const { rows } = await sql<{ id: string; at: string }>`
    select environment.id, newest.created_at as at
    from unnest(${generation.environments.map(({ id }) => id)}::text[]) as environment (id)
    cross join lateral (
      select created_at from environment_stat where environment_id = environment.id
      order by created_at desc limit 1
    ) newest`.execute(db);
  const analyzed = new Map(rows.map(({ id, at }) => [id, at]));
  const dateOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
  return generation.environments
    .filter((environment) => environment.collected)
    .map(({ id, name }) => ({
      ...{ id, environment: name || id },
      collectedAt: dateOf(collected.get(id)),
      analyzedAt: dateOf(analyzed.get(id)),
    }));
}

/** Collection times by environment: when the newest collection saw the environment object itself, otherwise when any collection saw it. */
export async function collectionTimes(
  db: Db,
  { graph, environments }: Generation,
): Promise<ReadonlyMap<string, string>> {
  const places = environments.flatMap(({ id }) => {
    const node = findNamedNode(graph, id);
    return node === NO_NODE ? [] : [{ id, storeId: graph.storeIds[node] }];
  });
  const details = await storedProperties(db).read(places.map(({ storeId }) => storeId));
  return new Map(
    places.flatMap(({ id, storeId }) => {
      const found = details.get(storeId);
      if (found === undefined) return [];
      const { lastcollected } = found.properties;
      return [[id, typeof lastcollected === 'string' ? lastcollected : found.lastSeen] as const];
    }),
  );
}
