/**
 * Compares a saved drawing with the current graph: existing and missing parts. A user with some environments receives neither objects nor
 * names from others, nor of deleted objects, whose environments are unknown.
 */
import type { OpenedDrawing } from '@clew/api';
import type { Generation } from '@clew/generation';
import { findEdge, NO_EDGE } from '@clew/graph';
import { edgeKindNumber, findEntity, type QueryData } from '@clew/queries';
import { isVisible, type Visibility } from '../visibility.ts';
import type { StoredDrawing } from './storedDrawings.ts';

export interface FoundDrawing {
  /** Existing and visible nodes, in order of number. */
  readonly nodes: readonly number[];
  /** In order of number. */
  readonly edges: readonly number[];
  readonly places: OpenedDrawing['places'];
  readonly missing: OpenedDrawing['missing'];
  readonly hiddenObjects: number;
}

export function findDrawing(
  data: QueryData,
  generation: Generation,
  visibility: Visibility,
  { objects, relationships }: StoredDrawing,
): FoundDrawing {
  const isLimited = visibility.environments !== undefined;
  const found = objects.map(({ object_id }) => findEntity(data, object_id));
  const isShown = objects.map((_, at) => {
    const node = found[at];
    return node === undefined ? !isLimited : isVisible(data, visibility, node);
  });
  const shown = objects.filter((_, at) => isShown[at]);
  const edges = new Set<number>();
  const gone: OpenedDrawing['missing']['relationships'] = [];
  for (const { source, kind, target } of relationships) {
    if (!isShown[source] || !isShown[target]) continue;
    const edge = edgeOf(generation, found[source], kind, found[target]);
    if (edge === undefined)
      gone.push({ source: objects[source].object_id, kind, target: objects[target].object_id });
    else edges.add(edge);
  }
  return {
    nodes: [...new Set(found.filter((node, at) => node !== undefined && isShown[at]))].sort(
      (a, b) => a! - b!,
    ) as number[],
    edges: [...edges].sort((a, b) => a - b),
    places: shown.map(({ object_id, x, y, pinned }) => ({ object_id, x, y, pinned })),
    missing: {
      objects: objects
        .filter((_, at) => isShown[at] && found[at] === undefined)
        .map(({ object_id, name, kind }) => ({ object_id, name, kind })),
      relationships: gone,
    },
    hiddenObjects: objects.length - shown.length,
  };
}

function edgeOf(
  generation: Generation,
  start: number | undefined,
  kindName: string,
  end: number | undefined,
): number | undefined {
  const kind = edgeKindNumber(generation, kindName);
  if (start === undefined || end === undefined || kind === undefined) return undefined;
  const edge = findEdge(generation.graph, start, kind, end);
  return edge === NO_EDGE ? undefined : edge;
}
