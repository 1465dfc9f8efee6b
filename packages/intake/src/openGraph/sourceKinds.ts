/** Kinds that identify sources: `Base` and `AZBase` for the collectors, and kinds that OpenGraph data names. */
import type { SourceKind } from '@clew/api';
import type { Db } from '@clew/store';
import { sql } from 'kysely';

/** The source kind of OpenGraph data that names none. */
export const SOURCELESS: Pick<SourceKind, 'id' | 'name'> = { id: 0, name: 'Sourceless' };

export async function listSourceKinds(db: Db): Promise<SourceKind[]> {
  const kinds = await db.selectFrom('source_kind').select(['id', 'name']).orderBy('id').execute();
  const waiting = await db
    .selectFrom('waiting_edge')
    .innerJoin('source', 'source.id', 'waiting_edge.source_id')
    .select([
      'source.source_kind',
      sql<number>`count(*)::integer`.as('all'),
      sql<number>`(count(*) filter (where is_ambiguous))::integer`.as('ambiguous'),
    ])
    .groupBy('source.source_kind')
    .execute();
  const counts = new Map(waiting.map((one) => [one.source_kind ?? SOURCELESS.name, one]));
  return [...kinds, SOURCELESS].map(({ id, name }) => ({
    ...{ id, name },
    waiting_relationships: counts.get(name)?.all ?? 0,
    ambiguous_relationships: counts.get(name)?.ambiguous ?? 0,
  }));
}
