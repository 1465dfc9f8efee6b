/** Saved drawings: the parts of the page that are saved, and the view of a saved drawing. */

import {
  type AnswerOf,
  MAX_DRAWN_OBJECTS,
  MAX_DRAWN_RELATIONSHIPS,
  type NewDrawing,
  type OpenedDrawing,
} from '@clew/api';
import { counted } from '@clew/model';
import type { Drawing } from '../../graph/drawing.ts';
import type { Place, Places } from '../../graph/layered.ts';
import { fromUnified, type Graph, type GraphEdge, plainEdge, plainNode } from '../../graph/model.ts';
import { isMasked } from '../../text/masking.ts';

export type SavedDrawing = AnswerOf<'ListDrawings'>['data'][number];

/** Users write names and descriptions, so neither is shown while names are masked. */
export const shownTitle = ({ id, name }: Pick<SavedDrawing, 'id' | 'name'>): string =>
  isMasked() ? `Drawing ${id}` : name;
export const shownDescription = ({ description }: Pick<SavedDrawing, 'description'>): string =>
  isMasked() ? '' : description;

/** Parameters of the address that form the question; all others only affect the view. */
const ASKED = ['mode', 'object', 'only', 'from', 'to', 'ways', 'without', 'around', 'q', 'p'];

export function askedIn(parameters: URLSearchParams): string {
  const asked = new URLSearchParams();
  for (const name of ASKED) for (const value of parameters.getAll(name)) asked.append(name, value);
  return asked.toString();
}

/** @returns the reason why a graph cannot be saved; `undefined` if it can */
export function tooLarge({ nodes, edges }: Graph): string | undefined {
  if (nodes.size > MAX_DRAWN_OBJECTS) return `A saved drawing can have at most ${MAX_DRAWN_OBJECTS} objects.`;
  if (edges.length > MAX_DRAWN_RELATIONSHIPS)
    return `A saved drawing can have at most ${MAX_DRAWN_RELATIONSHIPS} relationships.`;
  return undefined;
}

/** Objects that the user may not see, and relationships through them, are not saved, because they have no ids. */
export function drawingContent(
  { nodes, edges }: Graph,
  drawing: Drawing,
  pinned: ReadonlySet<string>,
  parameters: URLSearchParams,
): Pick<NewDrawing, 'address' | 'objects' | 'relationships'> {
  const places = new Map<string, Place>(drawing.nodes.map((node) => [node.id, node]));
  // Folded objects have the place of their box.
  for (const node of drawing.nodes) for (const id of node.folded ?? []) places.set(id, node);
  const objects = [...nodes.values()].filter(({ isHidden }) => !isHidden);
  const at = new Map(objects.map(({ id }, place) => [id, place]));
  return {
    address: askedIn(parameters),
    objects: objects.map(({ id, plainName, kind }) => {
      const { x, y } = places.get(id) ?? { x: 0, y: 0 };
      return {
        ...{ object_id: id, name: plainName.slice(0, 1024), kind: kind.slice(0, 256) },
        ...{ x: Math.round(x), y: Math.round(y), pinned: pinned.has(id) },
      };
    }),
    relationships: edges.flatMap(({ source, kind, target, isWay }) => {
      const [from, to] = [at.get(source), at.get(target)];
      return isWay || from === undefined || to === undefined ? [] : [{ source: from, kind, target: to }];
    }),
  };
}

/** A graph of the existing parts and the missing ones, which are marked. */
export function openedGraph({ graph, missing }: OpenedDrawing): Graph {
  const known = fromUnified(graph);
  const gone = missing.objects.map((object) => ({ ...plainNode(object), isGone: true }));
  const edges = missing.relationships.map(
    ({ source, kind, target }): GraphEdge => ({ ...plainEdge(source, kind, target), isGone: true }),
  );
  return {
    nodes: new Map([...known.nodes, ...gone.map((node) => [node.id, node] as const)]),
    edges: [...known.edges, ...edges],
  };
}

/** Places of objects, and the objects that were placed by hand. A box of folded objects has the place of its first object. */
export function openedPlaces({ places }: Pick<OpenedDrawing, 'places'>): {
  readonly places: Places;
  readonly pinned: Places;
} {
  const taken = new Set<string>();
  const kept = new Map<string, Place>();
  const pinned = new Map<string, Place>();
  for (const { object_id: id, x, y, pinned: isPinned } of places) {
    const key = `${x} ${y}`;
    if (taken.has(key)) continue;
    taken.add(key);
    kept.set(id, { x, y });
    if (isPinned) pinned.set(id, { x, y });
  }
  return { places: kept, pinned };
}

/** `5 of 40 relationships no longer exist`; `undefined` if all exist. */
export function missingText({
  graph,
  missing,
}: Pick<OpenedDrawing, 'graph' | 'missing'>): string | undefined {
  const [objects, relationships] = [missing.objects.length, missing.relationships.length];
  const part = (gone: number, all: number, noun: string): string => `${gone} of ${counted(all, noun)}`;
  const parts = [
    ...(relationships > 0 ? [part(relationships, graph.edges.length + relationships, 'relationship')] : []),
    ...(objects > 0 ? [part(objects, Object.keys(graph.nodes).length + objects, 'object')] : []),
  ];
  if (parts.length === 0) return undefined;
  const isOne = parts.length === 1 && relationships + objects === 1;
  return `${parts.join(' and ')} no longer ${isOne ? 'exists' : 'exist'}`;
}
