/** Computes the members of a selector before it is created: over the newest generation, and without regard to other zones. */
import { AnalysisContext, type Expansion, expandZone, type MemberSource } from '@clew/analysis';
import { type Generation, isMarked } from '@clew/generation';
import { type AttackGraph, EdgeProperties, NodeProperties, NodeSet, nodesOfKind } from '@clew/graph';
import { NodeKind } from '@clew/model';
import { type Db, storedProperties } from '@clew/store';
import { expectSeeds, type Seed } from './selectors.ts';
import { SeedType, SOURCES, seedsOf } from './storedZones.ts';

/** How far a preview extends, as clients number it. */
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

/** Whether an object blocks inherited permissions is asked of the store for so many at most. */
const MAX_PREVIEWED = 20_000;

/** @throws ZoneError for invalid seeds. @returns seeds first, then children, then parents; ascending in each */
export async function previewSelector(
  db: Db,
  generation: Generation,
  given: readonly Seed[],
  expansion: Expansion,
  select: (queries: readonly string[]) => Promise<readonly number[]>,
): Promise<PreviewedMember[]> {
  const expected = expectSeeds(given);
  const valuesOf = (wanted: number): string[] =>
    expected.flatMap(({ type, value }) => (type === wanted ? [value] : []));
  const objectIds = valuesOf(SeedType.objectId);
  const { graph } = generation;
  const bare = contextOf(graph, new NodeProperties(graph.nodeCount));
  const selected = NodeSet.of(graph.nodeCount, await select(valuesOf(SeedType.query)));
  const seeds = seedsOf(bare, { defaultKey: null, objectIds }).or(selected);
  const below = expandZone(bare, seeds, expansion === 'all' ? 'children' : 'none').all;
  const properties = await inheritanceOf(db, generation, below);
  const members = expandZone(contextOf(graph, properties), seeds, expansion);
  const listed = (nodes: NodeSet, source: MemberSource): PreviewedMember[] =>
    Array.from(nodes, (node) => ({ node, source: SOURCES[source] }));
  return [
    ...listed(members.seeds, 'seed'),
    ...listed(members.children, 'child'),
    ...listed(members.parents, 'parent'),
  ];
}

function contextOf(graph: AttackGraph, properties: NodeProperties): AnalysisContext {
  const options = { rules: 'clean', features: new Set<never>() } as const;
  return new AnalysisContext({ graph, properties, edgeProperties: new EdgeProperties(), options });
}

/** Loads what upward expansion needs: which units block inheritance, and which members block inherited permissions. */
async function inheritanceOf(
  db: Db,
  { graph, marks }: Generation,
  members: NodeSet,
): Promise<NodeProperties> {
  const properties = new NodeProperties(graph.nodeCount);
  nodesOfKind(graph, NodeKind.OU).forEach((unit) => {
    if (isMarked(marks, 'blocksInheritance', unit)) properties.set('blocksinheritance', unit, true);
  });
  const asked = members.toArray().subarray(0, MAX_PREVIEWED);
  const stored = await storedProperties(db).read(Array.from(asked, (node) => graph.storeIds[node]));
  for (const node of asked) {
    const value = stored.get(graph.storeIds[node])?.properties.isaclprotected;
    if (typeof value === 'boolean') properties.set('isaclprotected', node, value);
  }
  return properties;
}
