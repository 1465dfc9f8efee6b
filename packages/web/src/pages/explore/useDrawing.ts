/**
 * The drawing of a graph: paths in rows or layers, other graphs freely, unless the user chooses another layout. Adding to a
 * drawing or hiding from it does not move the rest.
 */
import type { OpenedDrawing } from '@clew/api';
import { type Dispatch, type SetStateAction, useCallback, useEffect, useMemo, useState } from 'react';
import { labelWidth } from '../../graph/boxes.ts';
import {
  type Drawing,
  drawingOf,
  gapIn,
  type LabelOf,
  longestLabel,
  NO_DRAWING,
  widthIn,
} from '../../graph/drawing.ts';
import { freeLayout, prepareFreeLayout } from '../../graph/freeLayout.ts';
import { keptPlaces } from '../../graph/keptPlaces.ts';
import { layeredLayout, type Place, type Places } from '../../graph/layered.ts';
import type { Graph, GraphNode } from '../../graph/model.ts';
import { chainOf, serpentineLayout } from '../../graph/serpentine.ts';
import { useFonts } from '../../text/measure.ts';
import type { ExploreState } from './exploreState.ts';
import { withPins } from './keptPins.ts';
import { readPins, writePins } from './pins.ts';
import { openedPlaces } from './savedDrawing.ts';

/** Padding between boxes in addition to the texts of relationships. */
const BESIDE_LABEL = 40;
const MIN_GAP = 90;
/** Margin at the left and the right of the drawing. */
const BESIDE_EDGE = 52;
/** Boxes in layers do not overlap at this scale. */
const MIN_SHRUNK = 0.78;
/** Larger drawings of paths have no alternating rows. */
const MAX_TURNING = 60;
/** Used until the size of the drawing is known. */
const USUAL_WIDTH = 960;

export const layoutOf = ({ layout, mode }: ExploreState): 'layers' | 'free' =>
  layout === 'layers' || layout === 'free' ? layout : mode === 'path' ? 'layers' : 'free';

/** Identifies the question: another question creates another drawing. */
export const questionKey = (state: ExploreState): string => {
  const { mode, object, only, from, to, ways, query, parameters, without, excluded } = state;
  if (state.drawing !== undefined) return JSON.stringify(['drawing', state.drawing, layoutOf(state)]);
  const asked = [mode, object, only, from, to, ways, query, [...parameters], [...without].sort(), excluded];
  return JSON.stringify([...asked, layoutOf(state)]);
};

/** A single path in alternating rows; all other graphs in layers from left to right. */
function layersOf(
  graph: Graph,
  starts: readonly string[],
  nameOf: (id: string) => string,
  labelOf: LabelOf,
): Places {
  const widthOf = widthIn(graph, ({ id }) => nameOf(id));
  const gap = Math.max(MIN_GAP, labelWidth(longestLabel(graph, labelOf)) + BESIDE_LABEL);
  const chain = starts.length > 0 ? chainOf(graph) : undefined;
  const room = (document.querySelector('.explore > .middle')?.clientWidth || USUAL_WIDTH) - 2 * BESIDE_EDGE;
  if (chain !== undefined) return serpentineLayout(chain, widthOf, gap, room);
  const sizes = { widthOf, gapOf: gapIn(graph, labelOf) };
  const places = layeredLayout(graph, starts, sizes);
  // Only paths use alternating rows, and only if they would otherwise be too small: large drawings are read by layer.
  const isTurned =
    starts.length > 0 && graph.nodes.size <= MAX_TURNING && widthBetween(places) > room / MIN_SHRUNK;
  return isTurned ? layeredLayout(graph, starts, sizes, room) : places;
}

function widthBetween(places: Places): number {
  const all = [...places.values()].map(({ x }) => x);
  return Math.max(...all) - Math.min(...all);
}

/** The ends of the paths of a drawing: its starts, and its end, or else the objects without outgoing edges. */
function endsOf(
  { nodes, edges }: Graph,
  starts: readonly string[],
  to: string | undefined,
): readonly string[] {
  if (to !== undefined && nodes.has(to)) return [...starts, to];
  const passed = new Set(edges.map(({ source }) => source));
  return [...starts, ...[...nodes.keys()].filter((id) => !passed.has(id))];
}

interface Placed {
  readonly graph: Graph;
  readonly question: string;
  readonly labelOf: LabelOf;
  readonly fonts: number;
  readonly places: Places;
  /** Layout places of objects that were moved by hand. */
  readonly home: Places;
}

const NOTHING_MOVED: Places = new Map();
const KEEP_AFTER_MS = 200;

/** @returns the places of a saved drawing, including unsaved moves; `undefined` if they do not fit its current graph */
function placesOfOpened(
  graph: Graph,
  opened: OpenedDrawing,
  nameOf: (id: string) => string,
  question: string,
): ReturnType<typeof withPins> | undefined {
  const { places: saved, pinned } = openedPlaces(opened);
  const before = new Map(
    [...graph.nodes.values()].flatMap(({ id, folded }) => {
      const at = saved.get(folded?.[0] ?? id);
      return at === undefined ? [] : [[id, at] as const];
    }),
  );
  const places = keptPlaces(
    graph,
    before,
    widthIn(graph, ({ id }) => nameOf(id)),
  );
  return places && withPins(places, new Map([...pinned, ...readPins(question)]));
}

/** Moves of objects by hand, and back to their layout places. */
function useMoves(setPlaced: Dispatch<SetStateAction<Placed | undefined>>) {
  const move = useCallback(
    (id: string, place: Place) =>
      setPlaced((before) => {
        const old = before?.places.get(id);
        if (before === undefined || old === undefined) return before;
        const places = new Map(before.places).set(id, place);
        return before.home.has(id)
          ? { ...before, places }
          : { ...before, places, home: new Map(before.home).set(id, old) };
      }),
    [setPlaced],
  );
  const release = useCallback(
    (id: string) =>
      setPlaced((before) => {
        const old = before?.home.get(id);
        if (before === undefined || old === undefined) return before;
        const rest = new Map(before.home);
        rest.delete(id);
        return { ...before, places: new Map(before.places).set(id, old), home: rest };
      }),
    [setPlaced],
  );
  return { move, release };
}

export function useDrawing(
  graph: Graph | undefined,
  state: ExploreState,
  starts: readonly string[] = [],
  nameOf: (id: string) => string,
  labelOf: LabelOf,
  opened?: OpenedDrawing,
): {
  readonly drawing: Drawing;
  /** The question of the drawing. */
  readonly drawn: string;
  readonly error?: unknown;
  /** The completed share of a layout, from 0 to 1; absent once complete. */
  readonly share: number | undefined;
  /** Objects that were moved by hand. */
  readonly pinned: ReadonlySet<string>;
  readonly move: (id: string, place: Place) => void;
  /** Moves an object back to its layout place. */
  readonly release: (id: string) => void;
} {
  const layout = layoutOf(state);
  const question = questionKey(state);
  const [placed, setPlaced] = useState<Placed>();
  const [error, setError] = useState<unknown>();
  const [share, setShare] = useState<number>();
  const fonts = useFonts();
  useEffect(prepareFreeLayout, []);
  const from = starts.join(' ');
  const isPath =
    (opened === undefined ? state.mode : new URLSearchParams(opened.address).get('mode')) === 'path';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text represents the starts
  useEffect(() => {
    if (graph === undefined) return undefined;
    const end = new AbortController();
    setError(undefined);
    const place = (places: Places, home = NOTHING_MOVED) =>
      setPlaced({ graph, question, labelOf, fonts, places, home });
    /** Creates a layout, and restores objects that were placed by hand before a reload. */
    const placeNew = (places: Places) => {
      const pins = withPins(places, readPins(question));
      place(pins.places, pins.home);
    };
    const isSame = placed?.question === question && placed.fonts === fonts && placed.labelOf === labelOf;
    const kept = isSame
      ? keptPlaces(
          graph,
          placed.places,
          widthIn(graph, ({ id }) => nameOf(id)),
        )
      : undefined;
    if (kept !== undefined) {
      place(kept, placed?.home);
      return undefined;
    }
    if (opened !== undefined && state.layout === undefined) {
      const pins = placesOfOpened(graph, opened, nameOf, question);
      if (pins !== undefined) {
        place(pins.places, pins.home);
        return undefined;
      }
    }
    const chosen = state.object === undefined ? starts : [state.object];
    if (layout === 'layers') placeNew(layersOf(graph, state.mode === 'path' ? chosen : [], nameOf, labelOf));
    else {
      setShare(0);
      freeLayout(graph, end.signal, setShare)
        .then(placeNew, (fault) => {
          if (!end.signal.aborted) setError(fault);
        })
        .finally(() => {
          if (!end.signal.aborted) setShare(undefined);
        });
      // Texts are measured while the worker is busy: the drawing then finds their widths.
      const widthOf = widthIn(graph, ({ id }) => nameOf(id));
      for (const id of graph.nodes.keys()) widthOf(id);
    }
    return () => {
      end.abort();
      setShare(undefined);
    };
  }, [graph, question, from, fonts, labelOf, opened?.id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: boxes are measured again after the font has loaded
  const drawing = useMemo(() => {
    if (graph === undefined || placed === undefined) return NO_DRAWING;
    // The old drawing stays until the new places are ready.
    return drawingOf(
      placed.graph,
      placed.places,
      (node: GraphNode) => nameOf(node.id),
      isPath,
      placed.labelOf,
      isPath ? endsOf(placed.graph, starts, state.to) : state.object === undefined ? [] : [state.object],
    );
  }, [graph, placed, nameOf, isPath, fonts, from, state.to, state.object]);
  const home = placed?.home;
  const pinned = useMemo(() => new Set(home?.keys()), [home]);
  // Each pointer motion is a move, so only the final places are stored.
  useEffect(() => {
    if (placed === undefined || placed.question !== question) return undefined;
    const rest = setTimeout(
      () => writePins(question, new Map([...placed.home.keys()].map((id) => [id, placed.places.get(id)!]))),
      KEEP_AFTER_MS,
    );
    return () => clearTimeout(rest);
  }, [placed, question]);
  const { move, release } = useMoves(setPlaced);
  // The question of the current drawing: the drawing of a new question is fitted to the view when it arrives.
  return { drawing, drawn: placed?.question ?? question, error, share, pinned, move, release };
}
