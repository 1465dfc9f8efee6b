/** Explore: objects, the paths between them, and queries; drawn and as a table, with the selection next to it. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { type Address, useAddress } from '../../address.ts';
import { GraphView, type Picked, useHighlight } from '../../graph/GraphView.tsx';
import { edgeKey, type Graph, isFolded } from '../../graph/model.ts';
import { Failure, Waiting } from '../../parts/Answer.tsx';
import { announce } from '../../parts/announce.ts';
import { notify } from '../../parts/notices.ts';
import { describeError } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatCount } from '../../text/formats.ts';
import { isMasked, maskedText } from '../../text/masking.ts';
import { ContextMenu, type MenuPlace } from './ContextMenu.tsx';
import { DrawingCard } from './DrawingCard.tsx';
import { EdgePanel } from './EdgePanel.tsx';
import { useExploreActions } from './exploreActions.ts';
import { type ExploreState, fromOlderAddress, stateOf } from './exploreState.ts';
import { GraphTable } from './GraphTable.tsx';
import { Legend } from './Legend.tsx';
import { Neighborhood } from './Neighborhood.tsx';
import { NothingToDraw } from './NothingToDraw.tsx';
import { ObjectPanel } from './ObjectPanel.tsx';
import { Question } from './Question.tsx';
import { SaveDrawing } from './SaveDrawing.tsx';
import { Story } from './Story.tsx';
import { drawingContent, tooLarge } from './savedDrawing.ts';
import { type Face, Toolbar } from './Toolbar.tsx';
import { layoutOf, questionKey, useDrawing } from './useDrawing.ts';
import { type Found, useExploreGraph } from './useExploreGraph.ts';

/** More than this is a table. */
const MAX_DRAWN = { nodes: 5000, edges: 20_000 };

/** The question that a saved drawing replaces. */
const NOTHING_ASKED = {
  ...{ mode: undefined, object: undefined, only: undefined, from: undefined, to: undefined, ways: undefined },
  ...{ without: undefined, around: undefined, q: undefined, p: undefined, with: undefined, hide: undefined },
  ...{ unfold: undefined, selected: undefined, show: undefined, layout: undefined },
} as const;

/** Asking for something else leaves the saved drawing. */
function leavingDrawing(address: Address): Address {
  const questions = ['mode', 'object', 'from', 'to', 'q'];
  return {
    ...address,
    set: (changes, options) =>
      address.set(
        questions.some((name) => Object.hasOwn(changes, name)) && !Object.hasOwn(changes, 'drawing')
          ? { ...changes, drawing: undefined }
          : changes,
        options,
      ),
  };
}

const hasValues = (found: Found | undefined): boolean => (found?.result?.literals.length ?? 0) > 0;

/** An object alone is shown with its groups; with added objects it is a drawing. */
function faceOf(state: ExploreState, isTooLarge: boolean, found: Found | undefined): Face {
  if (isTooLarge || (state.show ?? (hasValues(found) ? 'table' : 'graph')) === 'table') return 'table';
  if (state.drawing !== undefined) return layoutOf(state);
  const isAlone = state.object !== undefined && state.expansions.length === 0 && !state.only;
  if (state.mode === 'object' && isAlone && state.layout === undefined) return 'grouped';
  return layoutOf(state);
}

export default function ExplorePage() {
  const page = useAddress();
  const address = useMemo(() => leavingDrawing(page), [page]);
  const [parameters] = useSearchParams();
  const older = fromOlderAddress(parameters);
  useEffect(() => {
    if (older !== undefined) address.set(older, { replace: true });
  });
  const state = stateOf(address);
  const { query, additions, graph, whole } = useExploreGraph(state);
  const actions = useExploreActions(address, state);
  const queries = useQueryClient();
  const [menu, setMenu] = useState<MenuPlace>();
  const [saving, setSaving] = useState(false);
  const self = useSelf();
  const nameOf = useCallback((id: string) => whole.nodes.get(id)?.name ?? cleanText(id), [whole]);
  const isTooLarge = graph.nodes.size > MAX_DRAWN.nodes || graph.edges.length > MAX_DRAWN.edges;
  const face = faceOf(state, isTooLarge, query.data);
  // A table has the drawing behind it: it can be saved from there as well.
  const hasDrawing = graph.nodes.size > 0 && !isTooLarge && face !== 'grouped';
  const opened = query.data?.opened;
  const {
    drawing,
    pinned,
    move,
    release,
    error: layoutError,
  } = useDrawing(hasDrawing ? graph : undefined, state, query.data?.starts, nameOf, opened);
  const chosen = useHighlight(drawing, state.selected);
  const highlight = useMemo(() => ({ ...chosen, pinned }), [chosen, pinned]);
  const selectedEdges = edgesOf(whole, drawing.edges, state.selected);
  // Added objects join a drawing that stays.
  const isAdding = additions.some(({ isLoading }) => isLoading);
  const cancel = () => void queries.cancelQueries({ queryKey: ['explore'] });

  useEffect(() => {
    if (query.data !== undefined)
      announce(`${counted(whole.nodes.size, 'object')}, ${counted(whole.edges.length, 'relationship')}`);
  }, [query.data, whole]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const typing =
        event.target instanceof Element && event.target.closest('input, textarea, .editor') !== null;
      if (typing) return;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z' && actions.undo())
        event.preventDefault();
      if (event.key === 'Escape' && menu === undefined && document.querySelector('dialog[open]') === null)
        actions.select(undefined);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [actions, menu]);

  const content = () => ({
    ...drawingContent(whole, drawing, pinned, parameters),
    ...(opened && { address: opened.address }),
  });
  const maySave = self?.may('saved_queries/Write') ?? false;
  const save = () => {
    const fault = tooLarge(whole);
    if (fault === undefined) setSaving(true);
    else notify(fault);
  };
  const pick = (picked: Picked | undefined) => {
    setMenu(undefined);
    if (picked?.node !== undefined && isFolded(picked.node.id)) actions.unfold(picked.node.id);
    else actions.select(picked?.node?.id ?? picked?.edge?.id);
  };
  const selectedNode =
    state.selected !== undefined && selectedEdges === undefined && !state.selected.startsWith('[')
      ? state.selected
      : undefined;
  const center = (object: string) =>
    address.set({
      mode: undefined,
      object,
      selected: object,
      with: undefined,
      hide: undefined,
      only: undefined,
    });

  return (
    <div className={`explore explore-${state.mode}`}>
      <Question
        state={state}
        address={address}
        isRunning={query.isFetching}
        error={query.error}
        onCancel={cancel}
        card={
          opened && (
            <DrawingCard
              opened={opened}
              content={content}
              onChanged={() => void queries.invalidateQueries({ queryKey: ['explore'] })}
              onDeleted={() => address.set({ drawing: undefined })}
            />
          )
        }
      >
        {state.mode === 'path' && query.data !== undefined && whole.edges.length > 0 && (
          <Story graph={whole} found={query.data} state={state} actions={actions} nameOf={nameOf} />
        )}
      </Question>
      <div className="middle">
        <Toolbar
          {...{ state, whole, drawing, nameOf, hasDrawing, face }}
          idOf={(id) => (isMasked() ? maskedText(id) : id)}
          found={query.data}
          onFace={(to) =>
            address.set(
              to === 'table'
                ? { show: 'table' }
                : {
                    show: 'graph',
                    layout: to === 'grouped' ? undefined : to,
                    ...(to === 'grouped' && { with: undefined, only: undefined }),
                  },
              { replace: true },
            )
          }
          onUndo={() => {
            if (!actions.undo()) notify('Nothing to undo');
          }}
          onUnhide={actions.unhide}
          onFold={actions.fold}
          onSave={maySave && hasDrawing ? save : undefined}
        />
        {query.error !== null && (
          <Failure error={query.error} what="the graph" retry={() => void query.refetch()} />
        )}
        {additions.map(({ error }, at) =>
          error === null ? null : (
            <p key={`${at + 1}`} className="failure" role="alert">
              Could not add all of it: {describeError(error).text}
            </p>
          ),
        )}
        {layoutError !== undefined && <Failure error={layoutError} what="the drawing" />}
        {[...(query.data?.result?.warnings ?? []), query.data?.note].map(
          (warning) =>
            warning !== undefined && (
              <p key={warning} className="warning">
                {warning}
              </p>
            ),
        )}
        {isTooLarge && (
          <p className="warning" role="status">
            {formatCount(graph.nodes.size)} objects and {formatCount(graph.edges.length)} relationships are
            too many to be drawn; the table has all of them.
          </p>
        )}
        {isAdding && (
          <p className="notice" role="status">
            Adding relationships…
          </p>
        )}
        {query.isLoading ? (
          <div className="scroll">
            <Waiting what="the graph" lines={8} onCancel={cancel} />
          </div>
        ) : graph.nodes.size === 0 ? (
          <NothingToDraw
            state={state}
            found={query.data}
            actions={actions}
            nameOf={nameOf}
            onAllKinds={() => address.set({ without: undefined })}
          />
        ) : face === 'grouped' && state.object !== undefined ? (
          <Neighborhood
            objectId={state.object}
            selected={state.selected}
            hidden={state.hidden}
            actions={actions}
            nameOf={({ name }) => name}
            onCenter={center}
          />
        ) : face === 'table' ? (
          <GraphTable graph={whole} result={query.data?.result} actions={actions} nameOf={nameOf} />
        ) : (
          <GraphView
            drawing={drawing}
            question={questionKey(state)}
            label={`Drawing of ${counted(graph.nodes.size, 'object')} and ${counted(graph.edges.length, 'relationship')}`}
            highlight={highlight}
            onPick={pick}
            onOpen={({ id }) => {
              const node = graph.nodes.get(id);
              if (node !== undefined && !isFolded(id))
                actions.expand({ objectId: id, section: 'near', kind: node.kind });
            }}
            onMenu={({ node, edge }, x, y) =>
              setMenu({ id: node?.id ?? edge?.id ?? '', isNode: node !== undefined, x, y })
            }
            onMove={move}
            onRelease={release}
            withMap
          >
            <Legend drawing={drawing} pinned={pinned} />
          </GraphView>
        )}
        {menu !== undefined && (
          <ContextMenu
            place={menu}
            graph={graph}
            actions={actions}
            address={address}
            state={state}
            isPinned={pinned.has(menu.id)}
            onRelease={() => release(menu.id)}
            onClose={() => setMenu(undefined)}
          />
        )}
      </div>
      {saving && (
        <SaveDrawing
          content={content()}
          onSaved={({ id }) => address.set({ ...NOTHING_ASKED, drawing: id })}
          onClose={() => setSaving(false)}
        />
      )}
      {selectedEdges !== undefined && (
        <EdgePanel
          key={state.selected}
          edges={selectedEdges}
          graph={whole}
          onClose={() => actions.select(undefined)}
        />
      )}
      {selectedNode !== undefined && !isFolded(selectedNode) && (
        <ObjectPanel
          key={selectedNode}
          objectId={selectedNode}
          actions={actions}
          address={address}
          onCenter={state.object === selectedNode ? undefined : () => center(selectedNode)}
          onClose={() => actions.select(undefined)}
        />
      )}
    </div>
  );
}

/** The relationships that are selected: those of a line of the drawing, or one of a story or a table. */
function edgesOf(
  whole: Graph,
  lines: readonly { readonly id: string; readonly edges: Graph['edges'] }[],
  selected: string | undefined,
): Graph['edges'] | undefined {
  if (selected === undefined) return undefined;
  const line = lines.find(
    ({ id, edges }) => id === selected || edges.some((edge) => edgeKey(edge) === selected),
  );
  if (line !== undefined) return line.edges;
  const edge = whole.edges.find((one) => edgeKey(one) === selected);
  return edge === undefined ? undefined : [edge];
}
