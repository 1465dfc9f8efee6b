/** Kinds by which sources are known: `Base` and `AZBase` for the collectors, and those that OpenGraph data named. */
import type { SourceKind } from '@clew/api';
import type { Db } from '@clew/store';

/** The source kind of OpenGraph data that names none. */
export const SOURCELESS: SourceKind = { id: 0, name: 'Sourceless' };

export async function listSourceKinds(db: Db): Promise<SourceKind[]> {
  const kinds = await db.selectFrom('source_kind').select(['id', 'name']).orderBy('id').execute();
  return [...kinds, SOURCELESS];
}
