/** The names that the texts of a definition or a check may use: kinds, zones and properties, declared or stored. */
import { EDGE_KINDS, NODE_KINDS, PROPERTY_NAMES } from '@clew/model';
import { type Db, type StoredDefinition, zoneKindName } from '@clew/store';

/** Names that are neither built in nor declared by the definition itself. */
export interface OtherNames {
  /** Node labels: kinds of other definitions and of stored data, and labels of zones. */
  readonly labels: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
  /** Properties of stored nodes. */
  readonly properties: ReadonlySet<string>;
  /** Kinds that other definitions declare. */
  readonly declared: ReadonlySet<string>;
}

export interface KnownNames {
  /** Namespace of the definition, which must declare all kinds in it; empty for a check without a definition. */
  readonly namespace: string;
  /** Node kinds and relationship kinds that it declares. */
  readonly ownLabels: ReadonlySet<string>;
  readonly ownTypes: ReadonlySet<string>;
  /** Kinds that other definitions declare, which may also begin with its namespace. */
  readonly ofOthers: ReadonlySet<string>;
  /** All labels, including its own. */
  readonly labels: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
  readonly properties: ReadonlySet<string>;
}

export const NO_OTHER_NAMES: OtherNames = {
  ...{ labels: new Set(), types: new Set() },
  ...{ properties: new Set(), declared: new Set() },
};

const BUILT_IN_LABELS: readonly string[] = [
  ...NODE_KINDS.map(({ name }) => name),
  'Tag_Tier_Zero',
  'Tag_Owned',
];
/** Types that represent all steps of attack paths of a platform. */
const familyOf = (namespace: string): string => `${namespace.toUpperCase()}_ATTACK_PATHS`;
const BUILT_IN_TYPES: readonly string[] = [
  ...EDGE_KINDS.map(({ name }) => name),
  ...['ALL', 'AD', 'AZ'].map(familyOf),
];

/** Names of installed definitions. */
export function namesOfDefinitions(definitions: readonly StoredDefinition[]): Omit<OtherNames, 'properties'> {
  const labels = definitions.flatMap(({ node_kinds, environments }) => [
    ...node_kinds.map(({ name }) => name),
    ...environments.map(({ source_kind }) => source_kind),
  ]);
  const types = definitions.flatMap(({ relationship_kinds }) => relationship_kinds.map(({ name }) => name));
  const families = definitions.map(({ schema }) => familyOf(schema.namespace));
  return {
    ...{ labels: new Set(labels), types: new Set([...types, ...families]) },
    declared: new Set([...labels, ...types]),
  };
}

/** Names that a definition declares. */
interface OwnNames {
  readonly namespace: string;
  readonly nodeKinds: Iterable<string>;
  readonly relationshipKinds: Iterable<string>;
}

/** @param own absent for a check without a definition */
export function knownNames(others: OtherNames, own?: OwnNames): KnownNames {
  const ownLabels = new Set(own?.nodeKinds);
  const ownTypes = new Set([...(own?.relationshipKinds ?? []), ...(own ? [familyOf(own.namespace)] : [])]);
  return {
    ...{ namespace: own?.namespace ?? '', ownLabels, ownTypes, ofOthers: others.declared },
    labels: new Set([...BUILT_IN_LABELS, ...others.labels, ...ownLabels]),
    types: new Set([...BUILT_IN_TYPES, ...others.types, ...ownTypes]),
    properties: new Set([...PROPERTY_NAMES, ...others.properties]),
  };
}

/** Names of stored objects and relationships that are visible to the user. */
export interface StoredNames {
  readonly labels: Iterable<string>;
  readonly types: Iterable<string>;
  readonly properties: Iterable<string>;
}

/** @param definitions installed definitions @param stored absent if not available */
export async function otherNames(
  db: Db,
  definitions: readonly StoredDefinition[],
  stored?: StoredNames,
): Promise<OtherNames> {
  const zones = await db
    .selectFrom('asset_group_tag')
    .select('name')
    .where('deleted_at', 'is', null)
    .execute();
  const { labels, types, declared } = namesOfDefinitions(definitions);
  return {
    labels: new Set([...labels, ...(stored?.labels ?? []), ...zones.map(({ name }) => zoneKindName(name))]),
    types: new Set([...types, ...(stored?.types ?? [])]),
    ...{ properties: new Set(stored?.properties), declared },
  };
}
