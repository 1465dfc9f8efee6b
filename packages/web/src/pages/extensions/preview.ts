/** Lists the additions of a definition of an extension, read in the browser before it is sent. The service checks it completely. */
import type { ExtensionRecord, ListedEdgeKind } from '@clew/api';
import type { Static } from 'typebox';

type EdgeKind = Static<typeof ListedEdgeKind>;

export interface Preview {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** Installed with the same namespace: it is replaced. */
  readonly replaces: ExtensionRecord | undefined;
  readonly nodeKinds: number;
  readonly newNodeKinds: number;
  readonly relationshipKinds: number;
  readonly traversable: number;
  /** Kinds of stored relationships that attack paths do not use now, and would. */
  readonly becomeTraversable: readonly string[];
  /** Traversable now, in the version that is installed, and no more. */
  readonly noLonger: readonly string[];
  readonly findings: number;
  readonly zoneRules: number;
  readonly checks: number;
  /** Kinds of relationships that queries derive with each analysis. */
  readonly derived: number;
  /** Ways to find the same person on two platforms. */
  readonly identities: number;
}

const MAX_BYTES = 20_000_000;

/** @throws Error that describes the missing part of the file */
export async function readDefinition(file: File): Promise<Readonly<Record<string, unknown>>> {
  if (file.size > MAX_BYTES) throw new Error('The file is too large for a definition');
  let document: unknown;
  try {
    document = JSON.parse(await file.text());
  } catch {
    throw new Error('The file is not JSON');
  }
  if (typeof document !== 'object' || document === null || !('schema' in document))
    throw new Error('The file is not a definition: it has no "schema"');
  return document as Readonly<Record<string, unknown>>;
}

/** @param kinds names of kinds of nodes that are known now @param edges kinds of relationships that are known now */
export function previewOf(
  definition: Readonly<Record<string, unknown>>,
  installed: readonly ExtensionRecord[],
  kinds: readonly string[],
  edges: readonly EdgeKind[],
): Preview {
  const schema = (definition.schema ?? {}) as Readonly<Record<string, unknown>>;
  const name = textOf(schema.name);
  const nodes = listOf(definition.node_kinds);
  const relationships = listOf(definition.relationship_kinds);
  const traversable = relationships
    .filter((one) => one.is_traversable === true)
    .map((one) => textOf(one.name));
  const known = new Map(edges.map((kind) => [kind.name, kind]));
  const namespace = textOf(schema.namespace);
  const replaces = installed.find((one) => !one.is_builtin && one.namespace === namespace);
  const isTraversable = new Set(traversable);
  return {
    name,
    title: textOf(schema.display_name) || name,
    version: textOf(schema.version),
    replaces,
    nodeKinds: nodes.length,
    newNodeKinds: nodes.filter((one) => !kinds.includes(textOf(one.name))).length,
    relationshipKinds: relationships.length,
    traversable: traversable.length,
    becomeTraversable: traversable.filter((one) => known.get(one)?.is_traversable === false),
    noLonger:
      replaces === undefined
        ? []
        : edges
            .filter((kind) => kind.name.startsWith(`${namespace}_`))
            .filter((kind) => kind.is_traversable && !isTraversable.has(kind.name))
            .map((kind) => kind.name),
    findings: listOf(definition.relationship_findings).length,
    zoneRules: listOf(definition.privilege_zone_rules).length,
    checks: listOf(definition.node_findings).length,
    derived: listOf(definition.derived_relationships).length,
    identities: listOf(definition.identities).length,
  };
}

const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
