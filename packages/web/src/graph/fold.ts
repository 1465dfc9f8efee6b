/**
 * Boxes that represent several objects: always for equal objects, and in a large drawing first for objects of a kind next to the
 * same object, then for objects of a kind in a domain. Each box can be opened, and opened objects stay open.
 */
import { splitName } from '../text/names.ts';
import { edgeKey, type Graph, type GraphEdge, type GraphNode } from './model.ts';

/** Fewer objects than this are shown individually. */
const FOLD_FROM = 4;
/** Drawings with fewer boxes are not folded by kind. */
export const LARGE_FROM = 500;
const FOLD_MARK = 'folded:';

export const isFolded = (id: string): boolean => id.startsWith(FOLD_MARK);

/**
 * @param kept ids that are always shown individually: the ends of paths
 * @param unfolded ids of opened boxes
 */
export function fold(graph: Graph, kept: ReadonlySet<string>, unfolded: ReadonlySet<string>): Graph {
  // Opened objects stay open: no later rule folds them again.
  const open = new Set(kept);
  const equal = foldBy(graph, equalityIn(graph), { open, unfolded, mark: '' });
  if (graph.nodes.size < LARGE_FROM) return equal;
  const near = foldBy(equal, nearnessIn(equal), { open, unfolded, mark: 'near:' });
  if (near.nodes.size < LARGE_FROM) return near;
  return foldBy(near, domainIn(equal), { open, unfolded, mark: 'domain:' });
}

/** @returns the key shared by the objects of one box, and its words */
type Common = (node: GraphNode) => { readonly key: string; readonly words?: string } | undefined;

interface Folding {
  /** Ids that are shown individually; the ids of opened boxes are added. */
  readonly open: Set<string>;
  readonly unfolded: ReadonlySet<string>;
  /** Distinguishes boxes of one rule from boxes of another rule that contain them. */
  readonly mark: string;
}

function foldBy(graph: Graph, common: Common, { open, unfolded, mark }: Folding): Graph {
  const groups = new Map<string, GraphNode[]>();
  const words = new Map<string, string | undefined>();
  for (const node of graph.nodes.values()) {
    const shared = open.has(node.id) ? undefined : common(node);
    if (shared === undefined) continue;
    const key = JSON.stringify([node.kind, node.isTierZero, node.isOwned, shared.key]);
    push(groups, key, node);
    words.set(key, shared.words);
  }
  const standsFor = new Map<string, string>();
  const nodes = new Map(graph.nodes);
  for (const [key, members] of groups) {
    const all = members.flatMap(({ id, folded }) => folded ?? [id]).sort();
    const id = `${FOLD_MARK}${mark}${all[0]}`;
    if (members.length < FOLD_FROM) continue;
    if (unfolded.has(id)) {
      for (const member of members) open.add(member.id);
      continue;
    }
    for (const member of members) {
      standsFor.set(member.id, id);
      nodes.delete(member.id);
    }
    const by = words.get(key);
    nodes.set(id, {
      ...members[0]!,
      ...{ id, key: undefined, name: `${all.length}`, folded: all },
      ...(by !== undefined && { foldedBy: by }),
    });
  }
  if (standsFor.size === 0) return graph;
  const edges = new Map<string, GraphEdge>();
  for (const edge of graph.edges) {
    const source = standsFor.get(edge.source) ?? edge.source;
    const target = standsFor.get(edge.target) ?? edge.target;
    const one = { ...edge, source, target };
    // Relationships inside a box are visible only when it is open.
    if (source !== target || edge.source === edge.target) edges.set(edgeKey(one), one);
  }
  return { nodes, edges: [...edges.values()] };
}

/** Objects are equal if they have the same relationships with the same objects. */
function equalityIn(graph: Graph): Common {
  const ends = new Map<string, string[]>();
  for (const { source, target, kind } of graph.edges) {
    push(ends, source, `>${kind} ${target}`);
    push(ends, target, `<${kind} ${source}`);
  }
  return ({ id }) => {
    const signs = ends.get(id);
    return signs && { key: JSON.stringify([...signs].sort()) };
  };
}

/** The parent of an object is its container, or else the neighbor with the most relationships, if it has more than the object. */
function nearnessIn({ nodes, edges }: Graph): Common {
  const counts = new Map<string, number>();
  const containers = new Map<string, string>();
  for (const { source, target, kind } of edges) {
    if (source === target) continue;
    if (kind === 'Contains') containers.set(target, source);
    counts.set(source, (counts.get(source) ?? 0) + 1);
    counts.set(target, (counts.get(target) ?? 0) + 1);
  }
  const countOf = (id: string): number => counts.get(id) ?? 0;
  const largest = new Map<string, { readonly id: string; readonly count: number }>();
  const offer = (id: string, near: string): void => {
    const count = countOf(near);
    if (count > (largest.get(id)?.count ?? 0)) largest.set(id, { id: near, count });
  };
  for (const { source, target } of edges) {
    if (source === target) continue;
    offer(source, target);
    offer(target, source);
  }
  return ({ id, isTierZero, folded }) => {
    const parent = containers.get(id) ?? largest.get(id)?.id;
    // Hubs, and objects whose parent has fewer relationships, are not folded.
    if (parent === undefined || countOf(id) >= countOf(parent) || countOf(id) >= HUB) return undefined;
    if (isTierZero && folded === undefined) return undefined;
    return { key: parent, words: `near ${shortNameOf(nodes.get(parent))}` };
  };
}

/** An object with at least this many relationships is not folded. */
const HUB = 40;

const shortNameOf = (node: GraphNode | undefined): string =>
  node === undefined ? '' : splitName(node.name, node.kind).name;

/** Folds single objects with few relationships by the domain in their names. */
function domainIn({ edges }: Graph): Common {
  const counts = new Map<string, number>();
  for (const id of edges.flatMap(({ source, target }) => [source, target]))
    counts.set(id, (counts.get(id) ?? 0) + 1);
  return ({ id, name, kind, folded, isTierZero }) => {
    if (folded !== undefined || isTierZero || (counts.get(id) ?? 0) > FEW) return undefined;
    const { domain } = splitName(name, kind);
    return domain === undefined ? { key: '' } : { key: domain, words: `of ${domain}` };
  };
}

const FEW = 2;

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
