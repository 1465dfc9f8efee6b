/**
 * Extension definitions in the store: installs and removes them as a whole, and reads the parts that other modules
 * need.
 */

import { ApiError, apiError } from '@clew/common';
import { CypherError, derivation } from '@clew/cypher';
import {
  type Db,
  type DerivedRelationshipTable,
  numberKinds,
  type StoredDefinition,
  type StoredDerivedRelationship,
  ZoneType,
} from '@clew/store';
import { CompiledQuery, type Selectable, sql } from 'kysely';
import type { BundleFiles } from '../bundle/readBundle.ts';
import { checkDefinition } from './checkDefinition.ts';
import { type InstalledKinds, zoneRuleKey } from './installedKinds.ts';
import { namesOfDefinitions, otherNames, type StoredNames } from './knownNames.ts';

export interface InstalledExtension {
  readonly id: number;
  readonly definition: StoredDefinition;
}

/** Ids of the built-in extensions. */
export const BUILT_IN_IDS: ReadonlySet<number> = new Set([1, 2]);

/** Sorted by id. */
export async function listExtensions(db: Db): Promise<InstalledExtension[]> {
  return db.selectFrom('extension').select(['id', 'definition']).orderBy('id').execute();
}

/**
 * Must be called first in a transaction that installs or removes a definition, because two concurrent ones would
 * not see each other's kinds. Derivations are locked first and in the same order as by a generation, which
 * prevents deadlocks.
 */
export async function lockExtensions(db: Db): Promise<void> {
  await sql`lock table extension in share row exclusive mode`.execute(db);
  await db.selectFrom('derived_relationship').select('id').orderBy('id').forUpdate().execute();
}

export interface MadeExtension extends InstalledExtension {
  readonly isNew: boolean;
  /** The definition that it replaces. */
  readonly before: StoredDefinition | undefined;
  /** Warnings about values that were interpreted differently than written, each with its place. */
  readonly warnings: readonly string[];
}

/**
 * Installs a definition, or replaces the one with the same name, atomically. The caller records at the end of its
 * transaction that facts are now interpreted differently.
 * @param db connection in a transaction
 * @param files for a document built from a bundle: the errors of the files, and the places of its parts
 * @param stored names of stored objects, if available
 * @throws ApiError 400 with every error
 */
export async function installExtension(
  db: Db,
  document: unknown,
  files?: BundleFiles,
  stored?: StoredNames,
): Promise<MadeExtension> {
  if (document === undefined && files !== undefined) throw bundleFault(files.faults, files.faults.length);
  await lockExtensions(db);
  const present = await listExtensions(db);
  const name = (document as { schema?: { name?: unknown } } | null)?.schema?.name;
  const others = present.filter(({ definition }) => definition.schema.name !== name);
  const own = present.find(({ definition }) => definition.schema.name === name);
  const definitions = others.map(({ definition }) => definition);
  const installed = {
    ...{ ...kindsOf(others), ...(await zonesOf(db, own?.id)) },
    names: await otherNames(db, definitions, stored),
  };
  const checked = await checkDefinition(document, installed, files?.samples?.keys());
  const found = 'faults' in checked ? checked.faults : undefined;
  const texts = [...(files?.faults ?? []), ...(found?.texts(files?.placeOf) ?? [])];
  if (files !== undefined && texts.length > 0)
    throw bundleFault(texts, files.faults.length + (found?.count ?? 0));
  if ('faults' in checked) {
    const { message } = apiError('invalidDefinition', { count: String(checked.faults.count) });
    throw new ApiError('invalidDefinition', message, { details: texts });
  }
  const { definition } = checked;
  const warnings = checked.warnings.warnings(files?.placeOf);
  await registerKinds(db, definition);
  const text = JSON.stringify(definition);
  const { namespace } = definition.schema;
  const { id } =
    own === undefined
      ? await db
          .insertInto('extension')
          .values({ name: definition.schema.name, namespace, definition: text })
          .returning('id')
          .executeTakeFirstOrThrow()
      : await db
          .updateTable('extension')
          .set({ namespace, definition: text, updated_at: sql`clock_timestamp()` })
          .where('id', '=', own.id)
          .returning('id')
          .executeTakeFirstOrThrow();
  await syncDerived(db, id, definition);
  return { id, definition, isNew: own === undefined, before: own?.definition, warnings };
}

function bundleFault(details: readonly string[], count: number): ApiError {
  const { message } = apiError('invalidBundle', { count: String(count) });
  return new ApiError('invalidBundle', message, { details });
}

/**
 * Removes a definition. Its data is kept, and has generic kinds from then on. @param db connection in a
 * transaction that has locked extensions; the caller records the change, as above
 * @throws ApiError 404, or 409 for a built-in extension
 */
export async function removeExtension(db: Db, id: number): Promise<StoredDefinition> {
  if (BUILT_IN_IDS.has(id)) throw apiError('builtInExtension');
  const removed = await db
    .deleteFrom('extension')
    .where('id', '=', id)
    .returning('definition')
    .executeTakeFirst();
  if (removed === undefined) throw apiError('resourceNotFound');
  return removed.definition;
}

/** @param own the extension whose rules are replaced */
async function zonesOf(
  db: Db,
  own: number | undefined,
): Promise<Pick<InstalledKinds, 'zones' | 'zoneRules'>> {
  const zones = await db
    .selectFrom('asset_group_tag')
    .select(['id', 'name'])
    .where('type', '=', ZoneType.zone)
    .where('deleted_at', 'is', null)
    .execute();
  const rules = await db
    .selectFrom('asset_group_tag_selector')
    .select(['asset_group_tag_id', 'name'])
    .where('extension_id', 'is distinct from', own ?? null)
    .execute();
  return {
    zones: new Map(zones.map(({ id, name }) => [name.toLowerCase(), id])),
    zoneRules: new Set(rules.map((rule) => zoneRuleKey(rule.asset_group_tag_id, rule.name))),
  };
}

/** The kinds that other definitions have declared. */
export function kindsOf(
  extensions: readonly Pick<InstalledExtension, 'definition'>[],
): Omit<InstalledKinds, 'zones' | 'zoneRules'> {
  const owners = new Map<string, string>();
  for (const { definition } of extensions) {
    const { schema, node_kinds, relationship_kinds, relationship_findings, node_findings = [] } = definition;
    for (const { name } of [...node_kinds, ...relationship_kinds, ...relationship_findings, ...node_findings])
      owners.set(name, schema.name);
  }
  const definitions = extensions.map(({ definition }) => definition);
  const namesOf = (kinds: readonly { readonly name: string }[]): string[] => kinds.map(({ name }) => name);
  return {
    namespaces: new Map(
      definitions.map(({ schema: { namespace, name } }) => [namespace.toLowerCase(), name]),
    ),
    owners,
    nodeKinds: new Set(definitions.flatMap(({ node_kinds }) => namesOf(node_kinds))),
    relationshipKinds: new Set(definitions.flatMap(({ relationship_kinds }) => namesOf(relationship_kinds))),
    names: { ...namesOfDefinitions(definitions), properties: new Set() },
    derivations: definitions.flatMap(({ derived_relationships = [] }) =>
      derived_relationships.map((derived) => ({ kind: derived.kind, types: typesOf(derived) })),
    ),
    steps: definitions.flatMap(({ schema, relationship_kinds }) =>
      relationship_kinds
        .filter(({ is_traversable }) => is_traversable)
        .map(({ name }) => ({ name, family: schema.namespace.toUpperCase() })),
    ),
    environmentKinds: new Set(
      definitions.flatMap(({ environments }) => environments.map(({ environment_kind }) => environment_kind)),
    ),
  };
}

export type DerivedRow = Selectable<DerivedRelationshipTable>;

/** Sorted by kind. @throws ApiError 404 */
export async function listDerived(db: Db, extension: number): Promise<DerivedRow[]> {
  if (BUILT_IN_IDS.has(extension)) return [];
  const known = await db.selectFrom('extension').select('id').where('id', '=', extension).executeTakeFirst();
  if (known === undefined) throw apiError('resourceNotFound');
  return db
    .selectFrom('derived_relationship')
    .selectAll()
    .where('extension_id', '=', extension)
    .orderBy('kind')
    .execute();
}

/**
 * Stores the derivations of a definition with the state of their runs. A derivation with a changed text has no
 * results yet.
 */
async function syncDerived(
  db: Db,
  extension: number,
  { derived_relationships = [], identities = [] }: StoredDefinition,
): Promise<void> {
  const derived = [...derived_relationships, ...identities];
  const kinds = derived.map(({ kind }) => kind);
  await db
    .deleteFrom('derived_relationship')
    .where('extension_id', '=', extension)
    .where('kind', '<>', sql<string>`all(${kinds}::text[])`)
    .execute();
  for (const one of derived) {
    const definition = JSON.stringify(one);
    await db
      .insertInto('derived_relationship')
      .values({ extension_id: extension, kind: one.kind, definition, ambiguous: '[]' })
      .onConflict((conflict) =>
        conflict
          .column('kind')
          .doUpdateSet({
            ...{ definition, ran_at: null, query_ms: null, query_error: null, query_timed_out: null },
            ...{ found_at: null, edge_count: 0, ambiguous_count: 0, ambiguous: '[]' },
          })
          .where(sql<boolean>`derived_relationship.definition is distinct from ${definition}::jsonb`),
      )
      .execute();
  }
}

/**
 * @returns no types if this version rejects a pattern that an earlier version accepted, because the pattern does
 * not run
 */
export function typesOf(derived: StoredDerivedRelationship): ReadonlySet<string> {
  try {
    return derivation(derived).types;
  } catch (error) {
    if (!(error instanceof CypherError)) throw error;
    return new Set();
  }
}

/** Registers the kinds, so that queries know the names before there is data, and earlier data gets these kinds. */
async function registerKinds(db: Db, definition: StoredDefinition): Promise<void> {
  const run = (text: string, values: unknown[] = []) => db.executeQuery(CompiledQuery.raw(text, values));
  const { node_kinds, relationship_kinds, environments } = definition;
  const sources = [...new Set(environments.map(({ source_kind }) => source_kind))];
  await numberKinds(run, 'node_kind', [...new Set([...node_kinds.map(({ name }) => name), ...sources])]);
  await numberKinds(
    run,
    'edge_kind',
    relationship_kinds.map(({ name }) => name),
  );
  for (const name of sources)
    await db
      .insertInto('source_kind')
      .values({ name })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}
