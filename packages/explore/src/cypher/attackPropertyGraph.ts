/** The graph of a generation for queries. Rule: `docs/cypher.md#the-graph`. */
import { attackGraph, isAttackStep, POWERLESS } from '@clew/analysis';
import {
  CypherError,
  type Edges,
  type LabelSet,
  type PropertyGraph,
  type Value,
  type ValueMap,
} from '@clew/cypher';
import { type Generation, isMarked } from '@clew/generation';
import {
  type AttackGraph,
  edgeKindOf,
  endOf,
  findEdge,
  findNode,
  findNodeByStoreId,
  NO_NODE,
  NO_STEP,
  objectIdOf,
  startOf,
} from '@clew/graph';
import { EDGE_KINDS } from '@clew/model';
import {
  edgeKindName,
  edgeKindNumber,
  kindNamesOf,
  labelOf,
  type QueryData,
  shownKindsOf,
} from '@clew/queries';
import { edgeFlagProperties } from '../graphs/render/graphMap.ts';
import { isOwned, isTierZero, nameProperty, systemTags, withName } from '../graphs/render/nodeSigns.ts';
import type { NameIndex } from './nameIndex.ts';
import type { PropertyColumns } from './propertyColumns.ts';

/** Properties of edges stored in the graph itself. */
const EDGE_FLAGS = new Set([
  'isacl',
  'isinherited',
  'inherited',
  'enforced',
  'isprimarygroup',
  'derived',
  'traversable',
]);

export const EDGE_PROPERTY_NAMES: readonly string[] = [...EDGE_FLAGS, 'effort', 'lastseen'].sort();

export interface AttackPropertyGraphOptions {
  readonly generation: Generation;
  readonly data: QueryData;
  readonly columns: PropertyColumns;
  readonly names: () => NameIndex;
  /** Environments that the caller may see; absent for all. */
  readonly environments?: ReadonlySet<number>;
  /** @returns the attack effort of each edge, by its number @throws if a query cannot have it */
  readonly efforts?: () => Uint8Array;
  /** Labels kept between queries of callers who may see everything. */
  readonly labels?: Labels;
}

export type Labels = Map<string, LabelSet | undefined>;

/** Above this share of nodes with a label, scanning all nodes costs little more. */
const LISTED_SHARE = 1 / 8;

const hasBit = (words: Uint32Array, node: number): boolean => ((words[node >>> 5] >>> (node & 31)) & 1) === 1;

export function attackPropertyGraph(options: AttackPropertyGraphOptions): PropertyGraph {
  const { generation, data, columns, names, environments, efforts = noEfforts, labels = new Map() } = options;
  const { graph } = data;
  const walked = attackGraph(graph);
  const isHidden =
    environments === undefined
      ? undefined
      : (node: number): boolean => !environments.has(graph.environmentOf[node]);
  const visible = (nodes: readonly number[]): readonly number[] =>
    isHidden === undefined ? nodes : nodes.filter((node) => !isHidden(node));
  const nodeProperty = (node: number, key: string): Value =>
    ownProperty(data, node, key) ??
    (key === 'name' ? null : ((columns.value(key, node) as Value | undefined) ?? null));
  const lastSeen = (edge: number): Value => {
    const [start, end] = [startOf(graph, edge), endOf(graph, edge)].map((node) =>
      columns.value('lastseen', node),
    );
    const seen = [start, end].filter((time) => typeof time === 'string');
    // Objects created by analysis are not in any file: they use the time of their linked objects, or of the generation.
    return seen.length === 0
      ? generation.publishedAt
      : seen.reduce((one, other) => (one < other ? one : other));
  };
  const stored = (edge: number): ValueMap | undefined =>
    columns.ofEdge(startOf(graph, edge), edgeKindOf(graph, edge), endOf(graph, edge)) as ValueMap | undefined;
  const effortOf = (edge: number): Value => {
    const effort = efforts()[edge];
    return effort === NO_STEP ? null : effort;
  };
  const edgeProperty = (edge: number, key: string): Value => {
    if (key === 'lastseen') return lastSeen(edge);
    if (key === 'effort') return effortOf(edge);
    if (key === 'traversable') return isTraversable(data, edge);
    // Many queries use the name `inherited` for it.
    const flag = edgeFlagProperties(data, edge)[key === 'inherited' ? 'isinherited' : key];
    return flag ?? (EDGE_FLAGS.has(key) ? null : (stored(edge)?.[key] ?? null));
  };
  const edgeProperties = (edge: number): ValueMap => {
    const seen = lastSeen(edge);
    return {
      ...edgeFlagProperties(data, edge),
      traversable: isTraversable(data, edge),
      ...(seen !== null && { lastseen: seen }),
      ...stored(edge),
    };
  };
  return {
    nodeCount: graph.nodeCount,
    edgeCount: graph.edgeCount,
    out: walked.out as Edges,
    in: walked.in as Edges,
    edgeAtIn: (place, node) => findEdge(graph, graph.in.neighbors[place], graph.in.kinds[place], node),
    startOf: (edge) => startOf(graph, edge),
    label(name) {
      if (!labels.has(name)) labels.set(name, labelSet(data, name, isHidden));
      return labels.get(name);
    },
    labelsOf: (node) => labelsInOrder(data, node),
    types: (name) => typesOf(generation, name),
    typeName: (type) => edgeKindName(generation, shownKind(type)),
    labelNames: () => labelNames(data, isHidden),
    typeNames: () => [
      ...EDGE_KINDS.map(({ name }) => name),
      ...generation.customEdgeKinds.values(),
      ...Object.keys(SHORTCUTS),
    ],
    nodeProperty,
    edgeProperty,
    nodeProperties: (node) => ({
      ...withName(data, node, columns.of(node) as ValueMap),
      ...computedProperties(data, node),
    }),
    edgeProperties,
    nodeId: (node) => graph.storeIds[node],
    edgeId: (edge) => edge,
    nodeWithId: (id) => {
      const node = Number.isSafeInteger(id) && id >= 0 ? findNodeByStoreId(graph, id) : NO_NODE;
      return node < graph.nodeCount && !isHidden?.(node) ? node : undefined;
    },
    ...(isHidden && { isHidden }),
    seek(key, value) {
      if (key !== 'objectid' && key !== 'name') return undefined;
      if (typeof value !== 'string') return [];
      if (key === 'name') return visible(names().find(value));
      const node = findNode(graph, value);
      return node === NO_NODE ? [] : visible([node]);
    },
    seekSuffix: (key, suffix) =>
      key === 'objectid' && suffix !== '' ? visible(endingIn(graph, suffix)) : undefined,
  };
}

function noEfforts(): never {
  throw new CypherError('refused', 'attack effort is not available in selectors, watches and checks');
}

const OWN_KEYS = ['objectid', 'name', 'system_tags', 'highvalue', 'owned'];

export const computedProperties = (data: QueryData, node: number): ValueMap =>
  Object.fromEntries(
    OWN_KEYS.map((key): [string, Value | undefined] => [key, ownProperty(data, node, key)]).filter(
      (entry): entry is [string, Value] => entry[1] !== undefined,
    ),
  );

/** Whether a relationship is a step of attack paths. */
export const isTraversable = ({ graph }: QueryData, edge: number): boolean =>
  isAttackStep(graph, attackGraph(graph).out.kinds[edge]);

/** Computed properties, which are never stored. They depend on zones only, so that label, tags and previous names agree. */
function ownProperty(data: QueryData, node: number, key: string): Value | undefined {
  switch (key) {
    case 'objectid':
      return objectIdOf(data.graph, node);
    case 'name':
      return nameProperty(data, node);
    case 'system_tags':
      return systemTags(data, node) || undefined;
    case 'highvalue':
      return isTierZero(data, node);
    case 'owned':
      return isOwned(data, node);
    default:
      return undefined;
  }
}

/** The displayed kind first, then the others by name, and zones last. */
export function labelsInOrder(data: QueryData, node: number): readonly string[] {
  const first = labelOf(data, node);
  const own = kindNamesOf(data, node)
    .filter((kind) => kind !== first)
    .sort();
  const zones = shownKindsOf(data, node).slice(kindNamesOf(data, node).length).toSorted();
  return [first, ...own, ...zones];
}

/** @returns `undefined` if it is not a label, or only a kind of hidden nodes */
export function labelSet(
  data: QueryData,
  name: string,
  isHidden?: (node: number) => boolean,
): LabelSet | undefined {
  const { graph } = data;
  const carries = data.kindNames.map((kinds) => Number(kinds.includes(name)));
  const zone = data.zones.find(({ kind }) => kind === name);
  const mark = name === 'Tag_Tier_Zero' ? 'tierZero' : name === 'Tag_Owned' ? 'owned' : undefined;
  if (!carries.includes(1) && zone === undefined && mark === undefined) return undefined;
  const inZone = zone?.members;
  const isIn = (node: number): boolean =>
    carries[graph.kindSetOf[node]] === 1 ||
    (inZone !== undefined && hasBit(inZone, node)) ||
    (inZone === undefined && mark !== undefined && isMarked(data.marks, mark, node));
  const has = isHidden === undefined ? isIn : (node: number): boolean => isIn(node) && !isHidden(node);
  let size = 0;
  for (let node = 0; node < graph.nodeCount; node++) if (has(node)) size++;
  if (size === 0 && isHidden !== undefined && zone === undefined && mark === undefined) return undefined;
  let listed: Uint32Array | undefined;
  return {
    size,
    has,
    every(visit) {
      // A query that starts here for each of its rows must not scan all nodes each time.
      if (size < graph.nodeCount * LISTED_SHARE) {
        listed ??= nodesThat(has, size, graph.nodeCount);
        return listed.every(visit);
      }
      for (let node = 0; node < graph.nodeCount; node++) if (has(node) && !visit(node)) return false;
      return true;
    },
  };
}

/** Kinds of any node that is not hidden, and all zones. */
function labelNames(
  { graph, kindNames, zones }: QueryData,
  isHidden?: (node: number) => boolean,
): ReadonlySet<string> {
  const visible = new Uint8Array(kindNames.length).fill(isHidden === undefined ? 1 : 0);
  if (isHidden !== undefined)
    for (let node = 0; node < graph.nodeCount; node++)
      if (!isHidden(node)) visible[graph.kindSetOf[node]] = 1;
  const kinds = kindNames.filter((_, set) => visible[set] === 1).flat();
  return new Set([...kinds, ...zones.map(({ kind }) => kind), 'Tag_Tier_Zero', 'Tag_Owned']);
}

function nodesThat(fits: (node: number) => boolean, size: number, nodeCount: number): Uint32Array {
  const nodes = new Uint32Array(size);
  for (let node = 0, at = 0; node < nodeCount; node++) if (fits(node)) nodes[at++] = node;
  return nodes;
}

/** Names that represent many types. Rule: `docs/cypher.md#attack-paths`. */
export const SHORTCUTS: Readonly<Record<string, readonly string[]>> = {
  ALL_ATTACK_PATHS: ['ad', 'azure'],
  AD_ATTACK_PATHS: ['ad'],
  AZ_ATTACK_PATHS: ['azure'],
};

function typesOf(generation: Generation, name: string): readonly number[] {
  const platforms = SHORTCUTS[name];
  const { steps } = generation.graph.declared;
  if (platforms !== undefined) {
    const isAll = platforms.length > 1;
    const builtIn = EDGE_KINDS.filter(
      ({ traversable, platform }) => traversable && (isAll || platforms.includes(platform)),
    );
    return [...builtIn.map(({ id }) => id), ...(isAll ? steps.map(({ kind }) => kind) : [])];
  }
  const family = /^(.+)_ATTACK_PATHS$/.exec(name)?.[1];
  const ofFamily = steps.filter((step) => step.family === family).map(({ kind }) => kind);
  if (ofFamily.length > 0) return ofFamily;
  const number = edgeKindNumber(generation, name);
  if (number === undefined) return [];
  const powerless = POWERLESS.get(number);
  return powerless === undefined ? [number] : [number, powerless];
}

/** Kinds of edges that pass on no control, by their alias. */
const SHOWN: ReadonlyMap<number, number> = new Map([...POWERLESS].map(([kind, alias]) => [alias, kind]));

/** The displayed kind of an edge. */
export const shownKind = (kind: number): number => SHOWN.get(kind) ?? kind;

/** Scans all bytes of the ids once: 10 to 20 ms for a million. */
function endingIn({ objectIds, nodeCount }: AttackGraph, suffix: string): number[] {
  const wanted = new TextEncoder().encode(suffix);
  const { bytes, offsets } = objectIds;
  const found: number[] = [];
  for (let node = 0; node < nodeCount; node++) {
    const start = offsets[node + 1] - wanted.length;
    if (start < offsets[node]) continue;
    let at = wanted.length - 1;
    while (at >= 0 && bytes[start + at] === wanted[at]) at--;
    if (at < 0) found.push(node);
  }
  return found;
}
