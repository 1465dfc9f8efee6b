/** Computes the members of a selector before it is created, over the newest generation and independently of other zones. */
import { AnalysisContext, type Expansion, expandZone, type MemberSource } from '@clew/analysis';
import { type Generation, isMarked } from '@clew/generation';
import { type AttackGraph, EdgeProperties, NodeProperties, NodeSet, nodesOfKind } from '@clew/graph';
import { EdgeKind, NodeKind, type RulesMode } from '@clew/model';
import { type Db, storedProperties } from '@clew/store';
import { expectSeeds, type Seed } from './selectors.ts';
import { SeedType, SOURCES, seedsOf } from './storedZones.ts';

/** How far a preview expands, by the numbers that clients use. */
export const PREVIEW_EXPANSIONS: Readonly<Record<number, Expansion>> = {
  0: 'none',
  1: 'all',
  2: 'children',
  3: 'parents',
};

export interface PreviewedMember {
  /** Node of the generation. */
  readonly node: number;
  readonly source: number;
}

/** Maximum number of objects whose properties are read from the store. */
const MAX_PREVIEWED = 20_000;

/** @throws ZoneError for invalid seeds @returns seeds first, then children, then parents; each ascending */
export async function previewSelector(
  db: Db,
  generation: Generation,
  given: readonly Seed[],
  expansion: Expansion,
  select: (queries: readonly string[]) => Promise<readonly number[]>,
  rules: RulesMode,
): Promise<PreviewedMember[]> {
  const expected = expectSeeds(given);
  const valuesOf = (wanted: number): string[] =>
    expected.flatMap(({ type, value }) => (type === wanted ? [value] : []));
  const objectIds = valuesOf(SeedType.objectId);
  const { graph } = generation;
  const contextOf = (properties: NodeProperties): AnalysisContext =>
    new AnalysisContext({
      ...{ graph, properties, edgeProperties: new EdgeProperties() },
      options: { rules, features: new Set<never>() },
    });
  const bare = contextOf(new NodeProperties(graph.nodeCount));
  const selected = NodeSet.of(graph.nodeCount, await select(valuesOf(SeedType.query)));
  const seeds = seedsOf(bare, { defaultKey: null, objectIds }).or(selected);
  const below = expandZone(bare, seeds, expansion === 'all' ? 'children' : 'none').all;
  const properties = await inheritanceOf(db, generation, below);
  const members = expandZone(contextOf(properties), seeds, expansion);
  const listed = (nodes: NodeSet, source: MemberSource): PreviewedMember[] =>
    Array.from(nodes, (node) => ({ node, source: SOURCES[source] }));
  return [
    ...listed(members.seeds, 'seed'),
    ...listed(members.children, 'child'),
    ...listed(members.parents, 'parent'),
  ];
}

/**
 * Loads the input of upward expansion: the units that block inheritance, the members and containers that block inherited permissions, and
 * the disabled members.
 */
async function inheritanceOf(
  db: Db,
  { graph, marks }: Generation,
  members: NodeSet,
): Promise<NodeProperties> {
  const properties = new NodeProperties(graph.nodeCount);
  nodesOfKind(graph, NodeKind.OU).forEach((unit) => {
    if (isMarked(marks, 'blocksInheritance', unit)) properties.set('blocksinheritance', unit, true);
  });
  const asked = [...withPlacesAbove(graph, members)].slice(0, MAX_PREVIEWED);
  const stored = await storedProperties(db).read(asked.map((node) => graph.storeIds[node]));
  for (const node of asked)
    for (const key of ['isaclprotected', 'enabled'] as const) {
      const value = stored.get(graph.storeIds[node])?.properties[key];
      if (typeof value === 'boolean') properties.set(key, node, value);
    }
  return properties;
}

/** Containers come first: they are few, and many members are below each. */
function withPlacesAbove(graph: AttackGraph, members: NodeSet): Set<number> {
  const { offsets, neighbors, kinds } = graph.in;
  const found = new Set<number>();
  const visit = (node: number): void => {
    for (let at = offsets[node]; at < offsets[node + 1]; at++)
      if (kinds[at] === EdgeKind.Contains) found.add(neighbors[at]);
  };
  members.forEach(visit);
  for (const place of found) visit(place);
  members.forEach((member) => {
    found.add(member);
  });
  return found;
}
