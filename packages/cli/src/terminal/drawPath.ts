/**
 * Draws a graph of shortest paths as text: one path from top to bottom, with the number of alternatives next to each step. The graph
 * contains every shortest path, so its nodes form layers by their distance from the start.
 */

import type { UnifiedGraph } from '@clew/api';
import type { PhraseOf } from '@clew/connector';
import { counted, phrasesText } from '@clew/model';
import type { Screen, Style } from './screen.ts';
import { formatCount, printable, shownName, widthOf } from './text.ts';

export interface PathSummary {
  /** Number of edges in each shortest path. */
  readonly length: number;
  /** Number of different sequences of nodes; 0 if the graph has no path. */
  readonly paths: bigint;
  /** Keys of the nodes of one path, from the start. */
  readonly route: readonly string[];
  /** Nodes of the graph by distance from the start. */
  readonly layers: readonly (readonly string[])[];
}

/** @param from key of the start in `graph.nodes` @param to key of the end */
export function summarizePaths(graph: UnifiedGraph, from: string, to: string): PathSummary {
  const next = new Map<string, Set<string>>();
  for (const edge of graph.edges) {
    const targets = next.get(edge.source);
    if (targets === undefined) next.set(edge.source, new Set([edge.target]));
    else targets.add(edge.target);
  }
  const layers = layersFrom(from, next);
  const distance = layers.findIndex((layer) => layer.includes(to));
  if (distance < 1) return { length: 0, paths: 0n, route: [], layers: [] };
  const ways = countWays(layers.slice(0, distance + 1), next, to);
  return { length: distance, paths: ways.get(from) ?? 0n, route: firstRoute(from, to, next, ways), layers };
}

function layersFrom(from: string, next: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const seen = new Set([from]);
  const layers = [[from]];
  for (;;) {
    const layer: string[] = [];
    for (const node of layers.at(-1) ?? []) {
      for (const target of next.get(node) ?? []) {
        if (seen.has(target)) continue;
        seen.add(target);
        layer.push(target);
      }
    }
    if (layer.length === 0) return layers;
    layers.push(layer);
  }
}

/** @returns the number of paths from each node to the end, counted backward */
function countWays(
  layers: readonly (readonly string[])[],
  next: ReadonlyMap<string, ReadonlySet<string>>,
  to: string,
): Map<string, bigint> {
  const ways = new Map([[to, 1n]]);
  for (let depth = layers.length - 2; depth >= 0; depth--) {
    const below = new Set(layers[depth + 1]);
    for (const node of layers[depth] as readonly string[]) {
      let sum = 0n;
      for (const target of next.get(node) ?? []) if (below.has(target)) sum += ways.get(target) ?? 0n;
      ways.set(node, sum);
    }
  }
  return ways;
}

/** The service sends edges in canonical order, so the first path is always the same. */
function firstRoute(
  from: string,
  to: string,
  next: ReadonlyMap<string, ReadonlySet<string>>,
  ways: ReadonlyMap<string, bigint>,
): string[] {
  const route = [from];
  const seen = new Set(route);
  for (let node = from; node !== to; ) {
    const step = [...(next.get(node) ?? [])].find(
      (target) => !seen.has(target) && (ways.get(target) ?? 0n) > 0n,
    );
    if (step === undefined) throw new Error('the graph of paths is not connected');
    route.push(step);
    seen.add(step);
    node = step;
  }
  return route;
}

/** Columns before the text of a step. */
const STEP_INDENT = 5;

/**
 * Wraps the parts of a line to the width of the terminal. A longer part is not split, so that names can be copied.
 * @param gap columns between two parts; further lines are indented by this number, if it is more than one
 */
function wrapped<Part>(
  parts: readonly Part[],
  width: number,
  textOf: (part: Part) => string = String,
  gap = 1,
): Part[][] {
  const rows: Part[][] = [];
  let columns = 0;
  for (const part of parts) {
    const own = widthOf(textOf(part));
    const row = rows.at(-1);
    if (row !== undefined && columns + gap + own <= width) {
      row.push(part);
      columns += gap + own;
    } else {
      rows.push([part]);
      columns = own + (row !== undefined && gap > 1 ? gap : 0);
    }
  }
  return rows;
}

/**
 * @param phraseOf the phrase for each kind of relationship
 * @param over the relationship in all paths of the graph, as the end of a sentence; absent for plain shortest paths
 * @returns the drawing: one path, and a line about the others
 */
export function drawPath(
  screen: Screen,
  graph: UnifiedGraph,
  { from, to }: { readonly from: string; readonly to: string },
  phraseOf: PhraseOf,
  over = '',
): string {
  const { length, paths, route, layers } = summarizePaths(graph, from, to);
  if (route.length === 0) return '';
  const [line, arrow] = screen.hasUnicode ? ['│', '▼'] : ['|', 'v'];
  const kindWidth = Math.max(...route.map((key) => printable(graph.nodes[key]?.kind ?? '').length));
  const lines: string[] = [];
  for (const [depth, key] of route.entries()) {
    const node = graph.nodes[key];
    if (node === undefined) throw new Error(`the graph of paths lacks node ${key}`);
    if (depth > 0) {
      const words = edgesBetween(graph, route[depth - 1] as string, key, phraseOf).split(' ');
      for (const text of wrapped(words, screen.width - STEP_INDENT))
        lines.push(`   ${line} ${screen.style('yellow', text.join(' '))}`);
      lines.push(`   ${arrow}`);
    }
    const name = node.hidden ? '(hidden)' : shownName(node.label);
    const others = (layers[depth]?.length ?? 1) - 1;
    const parts: readonly (readonly [Style, string])[] = [
      ['cyan', printable(node.kind).padEnd(kindWidth)],
      ['bold', name],
      ...(node.isTierZero ? [['red', 'Tier Zero'] as const] : []),
      ...(others > 0 ? [['dim', `or ${formatCount(others)} more`] as const] : []),
    ];
    for (const [at, row] of wrapped(parts, screen.width, ([, text]) => text, 2).entries()) {
      const shown = row.map(([style, text]) => screen.style(style, text)).join('  ');
      lines.push(at === 0 ? shown : `  ${shown}`);
    }
  }
  const steps = counted(length, 'step');
  const summary =
    paths === 1n
      ? `${steps}, the only shortest path${over}`
      : `${steps}, one of ${formatCount(paths)} shortest paths${over}`;
  lines.push('', ...wrapped(summary.split(' '), screen.width).map((words) => words.join(' ')));
  return lines.map((text) => `${text}\n`).join('');
}

function edgesBetween(graph: UnifiedGraph, start: string, end: string, phraseOf: PhraseOf): string {
  const kinds = graph.edges.filter((edge) => edge.source === start && edge.target === end);
  return printable(
    phrasesText(
      kinds.map(({ kind }) => kind),
      phraseOf,
    ),
  );
}
