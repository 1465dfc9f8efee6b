/** A single path in rows with alternating directions, so that boxes are neither small nor far apart. */
import { BOX_HEIGHT } from './boxes.ts';
import type { Place, Places } from './layered.ts';
import type { Graph } from './model.ts';

const ROW_GAP = 78;
/** Maximum number of objects in a single row, if they fit. */
const MAX_IN_ONE_ROW = 5;

/** @returns the objects of a graph that is a single path, in order; `undefined` for other graphs */
export function chainOf(graph: Graph): readonly string[] | undefined {
  const next = new Map<string, string>();
  const previous = new Map<string, string>();
  for (const { source, target } of graph.edges) {
    if ((next.get(source) ?? target) !== target || (previous.get(target) ?? source) !== source)
      return undefined;
    next.set(source, target);
    previous.set(target, source);
  }
  const starts = [...graph.nodes.keys()].filter((id) => !previous.has(id));
  if (starts.length !== 1 || graph.nodes.size < 2) return undefined;
  const chain: string[] = [];
  for (let at: string | undefined = starts[0]; at !== undefined; at = next.get(at)) chain.push(at);
  return chain.length === graph.nodes.size ? chain : undefined;
}

/**
 * @param widthOf width of an object's box
 * @param gap minimum gap between two boxes: space for the widest text of a relationship
 */
export function serpentineLayout(
  chain: readonly string[],
  widthOf: (id: string) => number,
  gap: number,
  room: number,
): Places {
  const box = Math.max(...chain.map(widthOf));
  const step = box + gap;
  const fitting = Math.max(1, Math.floor((room + gap) / step));
  const columns =
    chain.length <= Math.min(MAX_IN_ONE_ROW, fitting) ? chain.length : Math.min(fitting, chain.length);
  const places = new Map<string, Place>();
  chain.forEach((id, at) => {
    const row = Math.floor(at / columns);
    const inRow = at % columns;
    const column = row % 2 === 0 ? inRow : columns - 1 - inRow;
    places.set(id, { x: column * step, y: row * (BOX_HEIGHT + ROW_GAP) });
  });
  return places;
}
