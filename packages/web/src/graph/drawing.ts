/**
 * What is drawn, as a list that canvas and SVG share: parallel relations are one line with one label, names are cut to
 * what fits, marks of zones and owned objects have a shape and a letter.
 */
import { shortText } from '../text/cleanText.ts';
import { type ClassColour, kindLook, type Shape } from './kinds.ts';
import type { Place, Places } from './layered.ts';
import { edgeKey, type Graph, type GraphEdge, type GraphNode } from './model.ts';

export const NODE_RADIUS = 20;
const LONGEST_NAME = 26;
const LONGEST_LABEL = 30;

export interface DrawnNode extends Place {
  readonly id: string;
  readonly shape: Shape;
  readonly letters: string;
  readonly colour: ClassColour;
  readonly title: string;
  readonly subtitle: string;
  readonly isTierZero: boolean;
  readonly isOwned: boolean;
}

export interface DrawnEdge {
  readonly id: string;
  readonly source: DrawnNode;
  readonly target: DrawnNode;
  readonly label: string;
  readonly isWay: boolean;
  /** How far the middle of the line is beside the straight one. */
  readonly bend: number;
  /** All relations that the line stands for. */
  readonly edges: readonly GraphEdge[];
}

export interface Drawing {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
  readonly box: {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  };
}

/** @param nameOf how objects are called on the drawing */
export function drawingOf(graph: Graph, places: Places, nameOf: (node: GraphNode) => string): Drawing {
  const nodes = new Map<string, DrawnNode>();
  for (const node of graph.nodes.values()) {
    const place = places.get(node.id);
    if (place === undefined) continue;
    const { shape, letters, colour, label } = kindLook(node.kind);
    const title = node.folded === undefined ? nameOf(node) : `${node.name} × ${label}`;
    nodes.set(node.id, {
      ...{ id: node.id, ...place, shape, letters, colour },
      title: shortText(title, LONGEST_NAME),
      subtitle: node.folded === undefined ? label : 'alike',
      isTierZero: node.isTierZero,
      isOwned: node.isOwned,
    });
  }
  return { nodes: [...nodes.values()], edges: bundles(graph, nodes), box: boxOf([...nodes.values()]) };
}

function bundles(graph: Graph, nodes: ReadonlyMap<string, DrawnNode>): DrawnEdge[] {
  const byEnds = new Map<string, GraphEdge[]>();
  for (const edge of graph.edges) {
    const ends = JSON.stringify([edge.source, edge.target]);
    const list = byEnds.get(ends);
    if (list === undefined) byEnds.set(ends, [edge]);
    else list.push(edge);
  }
  const drawn: DrawnEdge[] = [];
  for (const edges of byEnds.values()) {
    const [first] = edges;
    const [source, target] = [nodes.get(first.source), nodes.get(first.target)];
    if (source === undefined || target === undefined) continue;
    const isMutual =
      byEnds.has(JSON.stringify([first.target, first.source])) && first.source !== first.target;
    const label = edges.length === 1 ? first.kind : `${first.kind} + ${edges.length - 1}`;
    drawn.push({
      ...{ id: edgeKey(first), source, target, edges },
      label: shortText(label, LONGEST_LABEL),
      isWay: edges.every(({ isWay }) => isWay),
      bend: isMutual ? 18 : 0,
    });
  }
  return drawn;
}

/** Room for names beside and below the outermost objects. */
const MARGIN = { x: 120, y: 70 };

function boxOf(nodes: readonly DrawnNode[]): Drawing['box'] {
  const box = { left: 0, top: 0, right: 0, bottom: 0 };
  if (nodes.length === 0) return box;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of nodes) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { left: left - MARGIN.x, top: top - MARGIN.y, right: right + MARGIN.x, bottom: bottom + MARGIN.y };
}

export interface Curve {
  readonly fromX: number;
  readonly fromY: number;
  readonly midX: number;
  readonly midY: number;
  readonly toX: number;
  readonly toY: number;
}

/** A quadratic curve from rim to rim; a relation of an object with itself is a loop above it. */
export function curveOf({ source, target, bend }: DrawnEdge): Curve {
  if (source === target) {
    const { x, y } = source;
    return { fromX: x - 12, fromY: y - 17, midX: x, midY: y - 75, toX: x + 12, toY: y - 17 };
  }
  const [dx, dy] = [target.x - source.x, target.y - source.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const gap = Math.min(NODE_RADIUS + 5, length / 2.5);
  return {
    fromX: source.x + ux * gap,
    fromY: source.y + uy * gap,
    midX: (source.x + target.x) / 2 - uy * bend * 2,
    midY: (source.y + target.y) / 2 + ux * bend * 2,
    toX: target.x - ux * gap,
    toY: target.y - uy * gap,
  };
}

/** Where the label of a line stands: the middle of its curve. */
export function labelPlace({ fromX, fromY, midX, midY, toX, toY }: Curve): Place {
  return { x: (fromX + 2 * midX + toX) / 4, y: (fromY + 2 * midY + toY) / 4 };
}
