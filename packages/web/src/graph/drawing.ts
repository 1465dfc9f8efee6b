/**
 * The drawing as a list shared by canvas and SVG: objects as measured boxes, parallel relationships as one line with one text,
 * zones and owned objects as badges with a letter.
 */
import type { IconNode } from 'lucide';
import { shortText } from '../text/cleanText.ts';
import { BOX_HEIGHT, boxTexts, labelWidth } from './boxes.ts';
import { kindLook, type NodeClass, type NodeShape } from './kinds.ts';
import { layeredLayout, type Place, type Places } from './layered.ts';
import { edgeKey, type Graph, type GraphEdge, type GraphNode } from './model.ts';

const MAX_LABEL = 40;

export interface DrawnNode extends Place {
  readonly id: string;
  /** Full name. */
  readonly name: string;
  readonly kind: string;
  readonly shape: NodeShape;
  readonly icon: IconNode | undefined;
  readonly letters: string;
  readonly color: NodeClass;
  /** Title and second line, shortened to the width. */
  readonly title: string;
  readonly subtitle: string;
  /** Width of the box. */
  readonly width: number;
  readonly isTierZero: boolean;
  readonly isOwned: boolean;
  /** Ids of the objects that the box represents. */
  readonly folded?: readonly string[];
}

export interface DrawnEdge {
  readonly id: string;
  readonly source: DrawnNode;
  readonly target: DrawnNode;
  readonly label: string;
  readonly isWay: boolean;
  /** No longer in the graph. */
  readonly isGone: boolean;
  readonly isLoop: boolean;
  /** Part of an attack path. */
  readonly isAttack: boolean;
  /** Distance between the middle of the line and the straight line. */
  readonly bend: number;
  /** All relationships that the line represents. */
  readonly edges: readonly GraphEdge[];
}

export interface Drawing {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
  /** Whether its lines are attack paths. */
  readonly isPath: boolean;
  /** Objects that are in view after each layout and named first: the ends of its paths. */
  readonly ends: readonly string[];
  readonly box: {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  };
}

export const NO_DRAWING: Drawing = {
  nodes: [],
  edges: [],
  isPath: false,
  ends: [],
  box: { left: 0, top: 0, right: 0, bottom: 0 },
};

/** Text of a kind of relationships in a drawing; an empty text is not drawn. */
export type LabelOf = (kind: string) => string;

const kindItself: LabelOf = (kind) => kind;

/** @param nameOf the shown name of an object */
export function drawingOf(
  graph: Graph,
  places: Places,
  nameOf: (node: GraphNode) => string,
  isPath = false,
  labelOf = kindItself,
  ends: readonly string[] = [],
): Drawing {
  const nodes = new Map<string, DrawnNode>();
  for (const node of graph.nodes.values()) {
    const place = places.get(node.id);
    if (place === undefined) continue;
    const { shape, letters, color, label, icon } = kindLook(node.kind);
    const name = node.folded === undefined ? nameOf(node) : `${node.name} × ${label}`;
    const texts = node.folded
      ? boxTexts(name, '', node.foldedBy ?? 'similar')
      : boxTexts(name, node.kind, secondLine(node, label));
    nodes.set(node.id, {
      ...{ id: node.id, ...place, name, kind: label, shape, icon, letters, color },
      ...{ title: texts.title, subtitle: texts.second, width: texts.width },
      isTierZero: node.isTierZero,
      isOwned: node.isOwned,
      ...(node.folded && { folded: node.folded }),
    });
  }
  return {
    nodes: [...nodes.values()],
    edges: bundles(graph, nodes, labelOf, isPath),
    isPath,
    ends: ends.filter((id) => nodes.has(id)),
    box: boxOf([...nodes.values()]),
  };
}

/** Padding between boxes in addition to the texts of relationships. */
const BESIDE_LABEL = 40;

/** Paths in layers, with space for the texts of their relationships. */
export function pathDrawingOf(graph: Graph, starts: readonly string[]): Drawing {
  const nameOf = ({ name }: GraphNode): string => name;
  const sizes = { widthOf: widthIn(graph, nameOf), gapOf: gapIn(graph) };
  return drawingOf(graph, layeredLayout(graph, starts, sizes), nameOf, true, kindItself, starts);
}

/** Space needed by the text of a relationship, for layouts. */
export function gapIn(graph: Graph, labelOf = kindItself): (edge: GraphEdge) => number {
  const endsOf = ({ source, target }: GraphEdge): string => JSON.stringify([source, target]);
  const bundled = Map.groupBy(graph.edges, endsOf);
  return (edge) => labelWidth(bundleLabel(bundled.get(endsOf(edge)) ?? [edge], labelOf)) + BESIDE_LABEL;
}

/** Width of the box of an object, for layouts. */
export function widthIn(graph: Graph, nameOf: (node: GraphNode) => string): (id: string) => number {
  return (id) => {
    const node = graph.nodes.get(id);
    if (node === undefined) return 0;
    const { label } = kindLook(node.kind);
    return node.folded === undefined
      ? boxTexts(nameOf(node), node.kind, secondLine(node, label)).width
      : boxTexts(`${node.name} × ${label}`, '', node.foldedBy ?? 'similar').width;
  };
}

const secondLine = ({ isGone }: GraphNode, label: string): string =>
  isGone === true ? 'no longer exists' : label;

function bundles(
  graph: Graph,
  nodes: ReadonlyMap<string, DrawnNode>,
  labelOf: LabelOf,
  isPath: boolean,
): DrawnEdge[] {
  const byEnds = new Map<string, Map<string, GraphEdge[]>>();
  const lines: GraphEdge[][] = [];
  for (const edge of graph.edges) {
    const byTarget = byEnds.get(edge.source) ?? new Map<string, GraphEdge[]>();
    byEnds.set(edge.source, byTarget);
    const same = byTarget.get(edge.target);
    if (same !== undefined) {
      same.push(edge);
      continue;
    }
    const line = [edge];
    byTarget.set(edge.target, line);
    lines.push(line);
  }
  const drawn: DrawnEdge[] = [];
  for (const edges of lines) {
    const [first] = edges;
    const [source, target] = [nodes.get(first.source), nodes.get(first.target)];
    if (source === undefined || target === undefined) continue;
    const isLoop = first.source === first.target;
    const isMutual = byEnds.get(first.target)?.has(first.source) === true && !isLoop;
    drawn.push({
      ...{ id: edgeKey(first), source, target, edges, isLoop },
      label: bundleLabel(edges, labelOf),
      isAttack: isPath && edges.some(({ isAdded }) => isAdded !== true),
      isWay: edges.every(({ isWay }) => isWay),
      isGone: edges.every(({ isGone }) => isGone === true),
      bend: isMutual ? 18 : 0,
    });
  }
  return drawn;
}

const bundleLabel = (edges: readonly GraphEdge[], labelOf: LabelOf): string => {
  const label = labelOf(edges[0].kind);
  return shortText(edges.length === 1 || label === '' ? label : `${label} + ${edges.length - 1}`, MAX_LABEL);
};

/** Width of the widest relationship text, based on its longest kind. */
export const longestLabel = (graph: Graph, labelOf = kindItself): string =>
  graph.edges
    .map(({ kind }) => labelOf(kind))
    .reduce((longest, label) => (label.length > longest.length ? label : longest), '')
    .slice(0, MAX_LABEL);

/** Margin around the outermost objects. */
const MARGIN = 48;

function boxOf(nodes: readonly DrawnNode[]): Drawing['box'] {
  if (nodes.length === 0) return NO_DRAWING.box;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width } of nodes) {
    left = Math.min(left, x - width / 2);
    right = Math.max(right, x + width / 2);
    top = Math.min(top, y - BOX_HEIGHT / 2);
    bottom = Math.max(bottom, y + BOX_HEIGHT / 2);
  }
  return { left: left - MARGIN, top: top - MARGIN, right: right + MARGIN, bottom: bottom + MARGIN };
}
