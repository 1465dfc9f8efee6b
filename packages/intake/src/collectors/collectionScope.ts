/** The scope of a run: how clients request it, and how responses show it. */
import { type ClientSchedule, COLLECTION_FLAGS, type CollectionFlag, type CollectorType } from '@clew/api';
import { apiError } from '@clew/common';
import { NodeKind } from '@clew/model';
import type { CollectionScopeColumns, Db } from '@clew/store';
import { type Selectable, sql } from 'kysely';

export type Scope = Selectable<CollectionScopeColumns>;

type ScopeRequest = Partial<Record<CollectionFlag | 'all_trusted_domains', boolean>> & {
  readonly ous?: readonly string[] | null;
  readonly domains?: readonly string[] | null;
};

/** @throws ApiError 400 for a scope that the collector type does not support, or one with unknown names */
export async function readScope(db: Db, type: CollectorType, request: ScopeRequest): Promise<Scope> {
  const flags = Object.fromEntries(COLLECTION_FLAGS.map((flag) => [flag, request[flag] === true])) as Record<
    CollectionFlag,
    boolean
  >;
  const { all_trusted_domains = false, ous, domains } = request;
  const [namedOus, namedDomains] = [ous ?? [], domains ?? []];
  if (type === 'sharphound' && !Object.values(flags).includes(true)) throw apiError('noCollectionFlag');
  const scopes = [all_trusted_domains, namedOus.length > 0, namedDomains.length > 0].filter(Boolean);
  if (scopes.length > 1) throw apiError('severalCollectionScopes');
  if (namedOus.length > 0 && flags.ad_structure_collection) throw apiError('structureOfOus');
  return {
    ...flags,
    all_trusted_domains,
    ous: await knownIds(db, namedOus, NodeKind.OU),
    domains: await knownIds(db, namedDomains, type === 'azurehound' ? NodeKind.AZTenant : NodeKind.Domain),
  };
}

/** @returns object ids of the objects identified by object id or distinguished name */
async function knownIds(db: Db, names: readonly string[], kind: number): Promise<string[]> {
  if (names.length === 0) return [];
  const wanted = names.map((name) => name.trim().toUpperCase());
  const rows = await db
    .selectFrom('node')
    .innerJoin('object_id', 'object_id.id', 'node.id')
    .select(['object_id', sql<string | null>`upper(properties ->> 'distinguishedname')`.as('dn')])
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`kinds @> ${[kind]}::smallint[]`)
    .where(
      sql<boolean>`(object_id = any (${wanted}) or upper(properties ->> 'distinguishedname') = any (${wanted}))`,
    )
    .execute();
  return wanted.map((name, at) => {
    const found = rows.find((row) => row.object_id === name || row.dn === name);
    if (found === undefined) throw apiError('noRecordFor', { id: names[at].slice(0, 200) });
    return found.object_id;
  });
}

/** Whether domains and organizational units are shown with stored details, or as ids. */
export interface Hydration {
  readonly hydrate_domains: boolean;
  readonly hydrate_ous: boolean;
}

export const HYDRATED: Hydration = { hydrate_domains: true, hydrate_ous: true };

type ShownScope = Pick<ClientSchedule, CollectionFlag | 'all_trusted_domains' | 'ous' | 'domains'>;

/** Builds a view of scopes with one query for all of them. */
export async function scopeView(
  db: Db,
  scopes: readonly Scope[],
  { hydrate_domains, hydrate_ous }: Hydration,
): Promise<(scope: Scope) => ShownScope> {
  const ids = scopes.flatMap(({ ous, domains }) => [
    ...(hydrate_ous ? ous : []),
    ...(hydrate_domains ? domains : []),
  ]);
  const known = await knownObjects(db, [...new Set(ids)]);
  return (scope) => ({
    ...(Object.fromEntries(COLLECTION_FLAGS.map((flag) => [flag, scope[flag]])) as Record<
      CollectionFlag,
      boolean
    >),
    all_trusted_domains: scope.all_trusted_domains,
    ous: hydrate_ous
      ? scope.ous.map((id) => ({
          ...detailsOf(id),
          distinguishedname: known.get(id)?.dn ?? null,
          type: 'OU',
        }))
      : scope.ous,
    domains: hydrate_domains
      ? scope.domains.map((id) => ({
          ...detailsOf(id),
          type: known.get(id)?.isTenant ? 'azure' : 'active-directory',
        }))
      : scope.domains,
  });

  function detailsOf(id: string) {
    const found = known.get(id);
    return { objectid: id, name: found?.name ?? '', exists: found !== undefined };
  }
}

interface KnownObject {
  readonly name: string | null;
  readonly dn: string | null;
  readonly isTenant: boolean;
}

async function knownObjects(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, KnownObject>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('node')
    .innerJoin('object_id', 'object_id.id', 'node.id')
    .select([
      'object_id',
      'name',
      sql<string | null>`properties ->> 'distinguishedname'`.as('dn'),
      sql<boolean>`kinds @> ${[NodeKind.AZTenant]}::smallint[]`.as('isTenant'),
    ])
    .where('deleted_at', 'is', null)
    .where('object_id', 'in', ids)
    .execute();
  return new Map(rows.map(({ object_id, ...known }) => [object_id, known]));
}
