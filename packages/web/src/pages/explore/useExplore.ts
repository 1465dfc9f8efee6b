/** The state shared by the regions of Explore: the question in the address, its answer as a graph and a drawing, and open panels. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useReducer } from 'react';
import { useSearchParams } from 'wouter';
import { type Address, useAddress } from '../../address.ts';
import { isFolded } from '../../graph/fold.ts';
import type { Picked } from '../../graph/pick.ts';
import { useHighlight } from '../../graph/useHighlight.ts';
import { announce } from '../../parts/announce.ts';
import { notify } from '../../parts/notices.ts';
import { useStacked } from '../../parts/useNarrow.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';
import type { Fixed } from './CannotChange.tsx';
import { leavingDrawing } from './drawingAddress.ts';
import { type ExploreActions, useExploreActions } from './exploreActions.ts';
import { FIRST_STATE, pageReducer } from './explorePage.ts';
import { type ExploreState, fromOlderAddress, stateOf } from './exploreState.ts';
import { faceOf, isTooLargeToDraw } from './face.ts';
import { drawingContent, tooLarge } from './savedDrawing.ts';
import { useDrawing } from './useDrawing.ts';
import { useExploreGraph } from './useExploreGraph.ts';
import { useLabels } from './useLabels.ts';
import { useStory } from './useStory.ts';

/** The question of a saved drawing: a saved path also has a story. */
function askedOf(address: string): Pick<ExploreState, 'mode' | 'to'> {
  const saved = new URLSearchParams(address);
  return { mode: saved.get('mode') === 'path' ? 'path' : 'object', to: saved.get('to') ?? undefined };
}

export type Explore = ReturnType<typeof useExplore>;

export function useExplore() {
  const page = useAddress();
  const address = useMemo(() => leavingDrawing(page), [page]);
  const [parameters] = useSearchParams();
  useOlderAddress(address, parameters);
  const state = stateOf(address);
  const { query, additions, graph, whole } = useExploreGraph(state);
  const nameOf = useCallback((id: string) => whole.nodes.get(id)?.name ?? cleanText(id), [whole]);
  const actions = useExploreActions(address, state, nameOf);
  const [open, dispatch] = useReducer(pageReducer, FIRST_STATE);
  const queries = useQueryClient();
  const isTooLarge = isTooLargeToDraw(graph);
  const face = faceOf(state, isTooLarge, query.data);
  // A drawing exists behind a table, so it can be saved from there too.
  const hasDrawing = graph.nodes.size > 0 && !isTooLarge && face !== 'grouped';
  const opened = query.data?.opened;
  const labelOf = useLabels(state.labels, whole);
  const shown = hasDrawing ? graph : undefined;
  const layout = useDrawing(shown, state, query.data?.starts, nameOf, labelOf, opened);
  const story = useStory(whole, query.data, opened === undefined ? state : askedOf(opened.address));
  const marked = useMemo(
    () => new Set([...open.marked].filter((id) => whole.nodes.has(id))),
    [open.marked, whole],
  );
  const chosen = useHighlight(layout.drawing, state.selected, story.cut);
  const highlight = useMemo(() => {
    const selected = new Set([...chosen.selected, ...open.found.hits, ...marked]);
    return { ...chosen, selected, pinned: layout.pinned };
  }, [chosen, open.found, marked, layout.pinned]);
  useEffect(() => {
    if (query.data !== undefined)
      announce(`${counted(whole.nodes.size, 'object')}, ${counted(whole.edges.length, 'relationship')}`);
  }, [query.data, whole]);
  useExploreKeys(actions, open.menu !== undefined);
  const self = useSelf();
  const isDrawn = hasDrawing && (face === 'layers' || face === 'free') && !query.isLoading;
  const isStacked = useStacked();
  return {
    ...{ address, state, query, additions, graph, whole, nameOf, actions, open, dispatch },
    ...{ isTooLarge, face, hasDrawing, opened, layout, story, marked, highlight },
    /** Whether the selection panel is next to the drawing, not below it. */
    isBeside: isDrawn && !isStacked,
    cancel: () => void queries.cancelQueries({ queryKey: ['explore'] }),
    renew: () => void queries.invalidateQueries({ queryKey: ['explore'] }),
    /** The content of the drawing to save. */
    content: () => ({
      ...drawingContent(whole, layout.drawing, layout.pinned, parameters),
      ...(opened && { address: opened.address }),
    }),
    /** Absent if the user may not save it. */
    save: self?.may('saved_queries/Write')
      ? () => {
          const fault = tooLarge(whole);
          if (fault === undefined) dispatch({ type: 'dialog', dialog: 'save' });
          else notify(fault);
        }
      : undefined,
    cannotChange: self?.may('graphdb/Mutate')
      ? (fixed: Fixed) => dispatch({ type: 'dialog', dialog: { fixed } })
      : undefined,
    pick(picked: Picked | undefined, isMore: boolean) {
      const node = picked?.node?.id;
      if (isMore && node !== undefined && !isFolded(node))
        return dispatch({ type: 'toggle', id: node, selected: state.selected });
      dispatch({ type: 'mark', ids: [] });
      if (node !== undefined && isFolded(node)) actions.unfold(node);
      else actions.select(node ?? picked?.edge?.id);
    },
    center: (object: string) => address.set({ ...CENTERED, object, selected: object }),
  };
}

/** Asking for one object replaces the question of the page. */
const CENTERED = { mode: undefined, with: undefined, hide: undefined, only: undefined };

function useOlderAddress(address: Address, parameters: URLSearchParams): void {
  const older = fromOlderAddress(parameters);
  useEffect(() => {
    if (older !== undefined) address.set(older, { replace: true });
  });
}

/** Ctrl Z and Ctrl Shift Z undo and redo changes of the drawing; Escape clears the selection. */
function useExploreKeys(actions: ExploreActions, hasMenu: boolean): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const typing =
        event.target instanceof Element && event.target.closest('input, textarea, .editor') !== null;
      if (typing) return;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z')
        if (event.shiftKey ? actions.redo() : actions.undo()) event.preventDefault();
      if (event.key === 'Escape' && !hasMenu && document.querySelector('dialog[open]') === null)
        actions.select(undefined);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [actions, hasMenu]);
}
