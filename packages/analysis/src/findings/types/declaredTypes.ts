/**
 * Finding types declared by the data: for each relationship kind that a definition makes a step of attack paths, the name of the finding
 * where it enters a zone.
 *
 * Rule: `docs/extensions.md#findings`.
 */
import {
  type AttackGraph,
  type DeclaredCheck,
  type DeclaredFinding,
  type DeclaredKinds,
  type DeclaredRemoval,
  findNodeByStoreId,
  getOrMake,
  NO_NODE,
  NodeSet,
} from '@clew/graph';
import type { FindingFacts } from '../findingFacts.ts';
import { builtInTypeById, FINDING_TYPES } from './catalog.ts';
import { customChecks } from './families/customChecks.ts';
import { otherPlatforms } from './families/otherPlatforms.ts';
import type { FindingType, ListFindingType, RelationshipFindingType } from './findingType.ts';

const CATALOGS = new WeakMap<DeclaredKinds, readonly FindingType[]>();

/** @returns all finding types for the graph; finding columns contain their places */
export function findingTypesOf({ declared }: Pick<AttackGraph, 'declared'>): readonly FindingType[] {
  if (declared.findings.length + declared.checks.length === 0) return FINDING_TYPES;
  return getOrMake(CATALOGS, declared, () => [
    ...FINDING_TYPES,
    ...declared.findings.map(typeOf),
    ...declared.checks.map(typeOfCheck),
  ]);
}

function typeOf(finding: DeclaredFinding): RelationshipFindingType {
  const { id, title, meaning, shortDescription, shortRemediation, extension } = finding;
  return {
    kind: 'relationship',
    id,
    title,
    category: 'TZ',
    platform: extension.toLowerCase(),
    family: otherPlatforms,
    what:
      shortDescription ||
      [meaning, `A relationship of ${extension} leads from outside the zone into the zone.`]
        .filter((text) => text !== '')
        .join(' '),
    remedy: {
      ...(shortDescription !== '' && { risk: '' }),
      ...(shortRemediation !== '' && { fix: shortRemediation }),
    },
    edges: [],
    boundary: 'crossing',
    declared: finding,
  };
}

function typeOfCheck(check: DeclaredCheck): ListFindingType {
  const { id, title, shortDescription, shortRemediation, severity = 'low', platform } = check;
  return {
    kind: 'list',
    ...{ id, title, category: 'CU', platform, family: customChecks, needs: [], check },
    what: shortDescription || `The object matches the check: ${title}.`,
    remedy: {
      ...(shortDescription !== '' && { risk: '' }),
      ...(shortRemediation !== '' && { fix: shortRemediation }),
    },
    scope: 'hygiene',
    nature: 'opening',
    floor: severity,
    find: (facts) => offendersIn(facts, check),
  };
}

/**
 * The objects found by the query that are still affected: if removing relationships repairs the finding, an object that has lost all of
 * them is repaired. An object that never had any stays.
 */
function offendersIn(facts: FindingFacts, { offenders, repairedBy }: DeclaredCheck): NodeSet {
  const { graph, origin } = facts.context;
  const nodes = Array.from(offenders, (id) => findNodeByStoreId(graph, id)).filter(
    (node) => node !== NO_NODE,
  );
  const found = NodeSet.of(graph.nodeCount, nodes);
  if (repairedBy === undefined || origin === undefined) return found;
  const before = origin.context.graph;
  return found.filter(
    (node) => relationsOf(graph, repairedBy, node) > 0 || relationsOf(before, repairedBy, node) === 0,
  );
}

function relationsOf(graph: AttackGraph, { kinds, direction }: DeclaredRemoval, node: number): number {
  const edges = graph[direction];
  let count = 0;
  for (let at = edges.offsets[node]; at < edges.offsets[node + 1]; at++)
    if (kinds.includes(edges.kinds[at])) count++;
  return count;
}

/** The part of a graph that declares kinds. */
type Declaring = Pick<AttackGraph, 'declared'>;

/** @returns the finding type with this id, built in or declared; `undefined` for unknown and retired ids */
export type TypesById = (id: string) => FindingType | undefined;

const DECLARED = new WeakMap<DeclaredKinds, ReadonlyMap<string, FindingType>>();

function declaredTypes(graph: Declaring): ReadonlyMap<string, FindingType> {
  return getOrMake(DECLARED, graph.declared, () => {
    const types = findingTypesOf(graph).slice(FINDING_TYPES.length);
    return new Map(types.map((type) => [type.id, type]));
  });
}

/** Memoizes types by graph, because generations may declare different types, and each request uses its own generation. */
export function typesById(graph: Declaring): TypesById {
  const declared = declaredTypes(graph);
  return (id) => builtInTypeById(id) ?? declared.get(id);
}

/** @returns ids of the types that the graph declares */
export const declaredTypeIds = (graph: Declaring): readonly string[] => [...declaredTypes(graph).keys()];
