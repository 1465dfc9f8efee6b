/** The highlighted part of a drawing: the selection, and every path through it. */
import { useMemo } from 'react';
import type { Drawing, DrawnEdge } from './drawing.ts';
import type { Highlight } from './paintCanvas.ts';

/** In larger drawings, only neighbors of the selection are highlighted. */
const MAX_FOLLOWED = 3000;

/** The highlighted part: all paths through the selection, to both ends; all other parts are dimmed. */
export function useHighlight(
  drawing: Drawing,
  selected: string | undefined,
  cut?: ReadonlySet<string>,
): Highlight {
  return useMemo(() => {
    if (selected === undefined) return { selected: new Set(), cut };
    const near = new Set([selected]);
    const ends = drawing.edges.filter(({ id }) => id === selected);
    for (const { source, target } of ends) near.add(source.id).add(target.id);
    const rounds = drawing.edges.length > MAX_FOLLOWED ? 1 : drawing.edges.length;
    follow(
      drawing.edges,
      near,
      ends.length > 0 ? ends.map(({ target }) => target.id) : [selected],
      true,
      rounds,
    );
    follow(
      drawing.edges,
      near,
      ends.length > 0 ? ends.map(({ source }) => source.id) : [selected],
      false,
      rounds,
    );
    return { selected: new Set([selected]), near: near.size > 1 ? near : undefined, cut };
  }, [drawing, selected, cut]);
}

/** Adds the objects reachable from some objects, along the lines or against them. */
function follow(
  edges: readonly DrawnEdge[],
  near: Set<string>,
  from: readonly string[],
  isForward: boolean,
  rounds: number,
): void {
  const lines = new Map<string, DrawnEdge[]>();
  for (const edge of edges) {
    const start = (isForward ? edge.source : edge.target).id;
    const list = lines.get(start);
    if (list === undefined) lines.set(start, [edge]);
    else list.push(edge);
  }
  const seen = new Set(from);
  let edge: readonly string[] = from;
  for (let round = 0; round < rounds && edge.length > 0; round++) {
    const next: string[] = [];
    for (const at of edge)
      for (const line of lines.get(at) ?? []) {
        const end = (isForward ? line.target : line.source).id;
        near.add(line.id).add(end);
        if (!seen.has(end)) next.push(end);
        seen.add(end);
      }
    edge = next;
  }
}
