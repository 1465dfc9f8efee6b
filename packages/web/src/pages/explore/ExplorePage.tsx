/** Explore: objects, the ways between them, and questions; drawn and as a table, with what is selected beside it. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useAddress } from '../../address.ts';
import { type Drawing, drawingOf } from '../../graph/drawing.ts';
import { freeLayout } from '../../graph/freeLayout.ts';
import { GraphView, type Picked, useHighlight } from '../../graph/GraphView.tsx';
import { kindLook } from '../../graph/kinds.ts';
import { layeredLayout, type Places } from '../../graph/layered.ts';
import { edgeKey, type Graph, type GraphNode, isFolded } from '../../graph/model.ts';
import { Empty, Failure, Waiting } from '../../parts/Answer.tsx';
import { announce } from '../../parts/announce.ts';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { SearchBox } from '../../parts/SearchBox.tsx';
import { describeError } from '../../service/queries.ts';
import { counted, formatCount } from '../../text/formats.ts';
import { ContextMenu, type MenuPlace } from './ContextMenu.tsx';
import { EdgePanel } from './EdgePanel.tsx';
import { useExploreActions } from './exploreActions.ts';
import { type ExploreState, fromOlderAddress, isSet, type Mode, stateOf } from './exploreState.ts';
import { type ExportFormat, exportGraph } from './exports.ts';
import { GraphTable } from './GraphTable.tsx';
import { ObjectPanel } from './ObjectPanel.tsx';
import { PathForm } from './PathForm.tsx';
import { QueryForm } from './QueryForm.tsx';
import { type Found, useExploreGraph } from './useExploreGraph.ts';

const MODES: readonly (readonly [Mode, string])[] = [
  ['object', 'Object'],
  ['path', 'Path'],
  ['query', 'Query'],
];

/** More than this is a table. */
const MOST_DRAWN = { nodes: 5000, edges: 20_000 };

export default function ExplorePage() {
  const address = useAddress();
  const [parameters] = useSearchParams();
  const older = fromOlderAddress(parameters);
  useEffect(() => {
    if (older !== undefined) address.set(older, { replace: true });
  });
  const state = stateOf(address);
  const explored = useExploreGraph(state);
  const actions = useExploreActions(address, state);
  const queries = useQueryClient();
  const [isMasked, setMasked] = useState(false);
  const [menu, setMenu] = useState<MenuPlace>();
  const { query, additions, graph, whole } = explored;
  const nameOf = useMemo(() => namer(whole, isMasked), [whole, isMasked]);
  const isTooLarge = graph.nodes.size > MOST_DRAWN.nodes || graph.edges.length > MOST_DRAWN.edges;
  const hasDrawing = graph.nodes.size > 0 && !isTooLarge;
  const { drawing, error: layoutError } = useDrawing(
    hasDrawing ? graph : undefined,
    state,
    query.data?.starts,
    nameOf,
  );
  const show = isTooLarge ? 'table' : (state.show ?? (hasValues(query.data) ? 'table' : 'graph'));
  const highlight = useHighlight(drawing, state.selected);
  const selectedEdges = drawing.edges.find(
    ({ id, edges }) => id === state.selected || edges.some((edge) => edgeKey(edge) === state.selected),
  )?.edges;
  const loading = query.isLoading || additions.some(({ isLoading }) => isLoading);

  useEffect(() => {
    if (query.data !== undefined)
      announce(`${counted(whole.nodes.size, 'object')}, ${counted(whole.edges.length, 'relation')}`);
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

  const pick = (picked: Picked | undefined) => {
    setMenu(undefined);
    if (picked?.node !== undefined && isFolded(picked.node.id)) actions.unfold(picked.node.id);
    else actions.select(picked?.node?.id ?? picked?.edge?.id);
  };
  const selectedNode =
    state.selected !== undefined && selectedEdges === undefined && !state.selected.startsWith('[')
      ? state.selected
      : undefined;

  return (
    <div className="explore">
      <div className="side">
        <h1>Explore</h1>
        <fieldset className="chips">
          <legend className="unseen">What to look for</legend>
          {MODES.map(([mode, title]) => (
            <button
              key={mode}
              type="button"
              aria-pressed={state.mode === mode}
              onClick={() =>
                address.set({
                  mode: mode === 'object' ? undefined : mode,
                  selected: undefined,
                  ...carried(state, mode),
                })
              }
            >
              {title}
            </button>
          ))}
        </fieldset>
        {state.mode === 'object' && (
          <SearchBox
            label="Object"
            onPick={({ objectid }) =>
              address.set({
                object: objectid,
                selected: objectid,
                only: undefined,
                with: undefined,
                hide: undefined,
                unfold: undefined,
              })
            }
          />
        )}
        {state.mode === 'path' && <PathForm state={state} address={address} />}
        {state.mode === 'query' && (
          <QueryForm
            state={state}
            address={address}
            isRunning={query.isFetching}
            onCancel={() => void queries.cancelQueries({ queryKey: ['explore'] })}
          />
        )}
      </div>
      <div className="middle">
        <Toolbar
          {...{ state, whole, drawing, nameOf, isMasked, hasDrawing }}
          show={show}
          found={query.data}
          onMask={() => setMasked(!isMasked)}
          onShow={(to) => address.set({ show: to }, { replace: true })}
          onLayout={(layout) => address.set({ layout }, { replace: true })}
          onUndo={() => {
            if (!actions.undo()) announce('There is nothing to undo');
          }}
          onUnhide={actions.unhide}
          onFold={actions.fold}
        />
        {query.error !== null && <Failure error={query.error} retry={() => void query.refetch()} />}
        {additions.map(({ error }, at) =>
          error === null ? null : (
            <p key={`${at + 1}`} className="failure" role="alert">
              Something could not be added: {describeError(error).text}
            </p>
          ),
        )}
        {layoutError !== undefined && <Failure error={layoutError} />}
        {query.data?.result?.warnings?.map((warning) => (
          <p key={warning} className="warning">
            {warning}
          </p>
        ))}
        {isTooLarge && (
          <p className="warning" role="status">
            {formatCount(graph.nodes.size)} objects and {formatCount(graph.edges.length)} relations are too
            many to be drawn; the table has all of them.
          </p>
        )}
        {loading ? (
          <div className="scroll">
            <Waiting
              what="the graph"
              lines={8}
              onCancel={() => void queries.cancelQueries({ queryKey: ['explore'] })}
            />
          </div>
        ) : graph.nodes.size === 0 ? (
          <NothingToDraw state={state} found={query.data} actions={actions} nameOf={nameOf} />
        ) : show === 'table' ? (
          <GraphTable graph={whole} result={query.data?.result} actions={actions} nameOf={nameOf} />
        ) : (
          <GraphView
            drawing={drawing}
            label={`Drawing of ${counted(graph.nodes.size, 'object')} and ${counted(graph.edges.length, 'relation')}`}
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
          />
        )}
        {menu !== undefined && (
          <ContextMenu
            place={menu}
            graph={graph}
            actions={actions}
            address={address}
            onClose={() => setMenu(undefined)}
          />
        )}
      </div>
      {selectedEdges !== undefined && (
        <EdgePanel
          key={state.selected}
          edges={selectedEdges}
          graph={graph}
          onClose={() => actions.select(undefined)}
        />
      )}
      {selectedNode !== undefined && !isFolded(selectedNode) && (
        <ObjectPanel
          key={selectedNode}
          objectId={selectedNode}
          actions={actions}
          address={address}
          onClose={() => actions.select(undefined)}
        />
      )}
    </div>
  );
}

/** What one way of looking hands to the next. */
function carried(state: ExploreState, mode: Mode): Readonly<Record<string, string | undefined>> {
  if (mode === 'path' && state.object !== undefined && state.to === undefined && state.from === undefined)
    return { from: state.object };
  return {};
}

const hasValues = (found: Found | undefined): boolean => (found?.result?.literals.length ?? 0) > 0;

function namer(graph: Graph, isMasked: boolean): (id: string) => string {
  if (!isMasked) return (id) => graph.nodes.get(id)?.name ?? id;
  const counts = new Map<string, number>();
  const names = new Map(
    [...graph.nodes.values()].map(({ id, kind }) => {
      const number = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, number);
      return [id, `${kindLook(kind).label} ${number}`];
    }),
  );
  return (id) => names.get(id) ?? 'hidden';
}

const NO_DRAWING: Drawing = { nodes: [], edges: [], box: { left: 0, top: 0, right: 0, bottom: 0 } };

/** Paths are drawn in layers, neighbourhoods freely, unless the person says otherwise. */
function useDrawing(
  graph: Graph | undefined,
  state: ExploreState,
  starts: readonly string[] = [],
  nameOf: (id: string) => string,
): { readonly drawing: Drawing; readonly error?: unknown } {
  const layout = state.layout ?? (state.mode === 'path' ? 'layers' : 'free');
  const [places, setPlaces] = useState<{ graph: Graph; layout: string; places: Places }>();
  const [error, setError] = useState<unknown>();
  const from = starts.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the starts
  useEffect(() => {
    if (graph === undefined) return undefined;
    const end = new AbortController();
    setError(undefined);
    const chosen = state.object === undefined ? starts : [state.object];
    if (layout === 'layers')
      setPlaces({ graph, layout, places: layeredLayout(graph, state.mode === 'path' ? chosen : []) });
    else
      freeLayout(graph, end.signal).then(
        (found) => setPlaces({ graph, layout, places: found }),
        (fault) => {
          if (!end.signal.aborted) setError(fault);
        },
      );
    return () => end.abort();
  }, [graph, layout, from]);
  const drawing = useMemo(() => {
    if (graph === undefined || places === undefined) return NO_DRAWING;
    // Until the new places are there, the old drawing stays.
    return drawingOf(places.graph, places.places, (node: GraphNode) => nameOf(node.id));
  }, [graph, places, nameOf]);
  return { drawing, error };
}

interface ToolbarProps {
  readonly state: ExploreState;
  readonly whole: Graph;
  readonly drawing: Drawing;
  readonly hasDrawing: boolean;
  readonly found: Found | undefined;
  readonly nameOf: (id: string) => string;
  readonly isMasked: boolean;
  readonly show: 'graph' | 'table';
  readonly onMask: () => void;
  readonly onShow: (show: 'graph' | 'table') => void;
  readonly onLayout: (layout: 'layers' | 'free') => void;
  readonly onUndo: () => void;
  readonly onUnhide: () => void;
  readonly onFold: () => void;
}

function Toolbar(props: ToolbarProps) {
  const { state, whole, drawing, nameOf, isMasked, show } = props;
  const layout = state.layout ?? (state.mode === 'path' ? 'layers' : 'free');
  const save = (format: ExportFormat) =>
    void exportGraph(format, whole, drawing, nameOf, (id) => (isMasked ? nameOf(id) : id)).catch((error) =>
      announce(describeError(error).text),
    );
  if (whole.nodes.size === 0) return null;
  return (
    <div className="bar" role="toolbar" aria-label="Drawing">
      <span>
        {counted(whole.nodes.size, 'object')}, {counted(whole.edges.length, 'relation')}
        {(props.found?.omitted ?? 0) > 0 && `, ${formatCount(props.found!.omitted)} more left out`}
        {state.hidden.size > 0 && `, ${formatCount(state.hidden.size)} hidden`}
      </span>
      <button type="button" aria-pressed={show === 'graph'} onClick={() => props.onShow('graph')}>
        Drawing
      </button>
      <button type="button" aria-pressed={show === 'table'} onClick={() => props.onShow('table')}>
        Table
      </button>
      {show === 'graph' && (
        <>
          <button type="button" aria-pressed={layout === 'layers'} onClick={() => props.onLayout('layers')}>
            Layers
          </button>
          <button type="button" aria-pressed={layout === 'free'} onClick={() => props.onLayout('free')}>
            Free
          </button>
        </>
      )}
      <button type="button" onClick={props.onUndo}>
        Undo
      </button>
      {state.hidden.size > 0 && (
        <button type="button" onClick={props.onUnhide}>
          Show hidden
        </button>
      )}
      {state.unfolded.size > 0 && (
        <button type="button" onClick={props.onFold}>
          Fold again
        </button>
      )}
      <button type="button" aria-pressed={isMasked} onClick={props.onMask}>
        Mask names
      </button>
      <label className="choice">
        <span className="unseen">Export</span>
        <select
          value=""
          onChange={({ target }) => {
            if (target.value !== '') save(target.value as ExportFormat);
          }}
        >
          <option value="">Export …</option>
          {props.hasDrawing && <option value="png">PNG picture</option>}
          {props.hasDrawing && <option value="svg">SVG drawing</option>}
          <option value="json">JSON (OpenGraph)</option>
          <option value="csv">CSV of relations</option>
        </select>
      </label>
    </div>
  );
}

function NothingToDraw({
  state,
  found,
  actions,
  nameOf,
}: {
  readonly state: ExploreState;
  readonly found: Found | undefined;
  readonly actions: ReturnType<typeof useExploreActions>;
  readonly nameOf: (id: string) => string;
}) {
  if (found?.result !== undefined)
    return (found.result.rows ?? []).length > 0 ? (
      <GraphTable
        graph={{ nodes: new Map(), edges: [] }}
        result={found.result}
        actions={actions}
        nameOf={nameOf}
      />
    ) : (
      <div className="scroll">
        <Empty title="The query found nothing" />
      </div>
    );
  if (found?.noPath !== undefined) return <NoPathFound state={state} noPath={found.noPath} />;
  return (
    <div className="scroll">
      <Empty
        title={
          state.mode === 'path'
            ? 'Choose both ends of the path'
            : state.mode === 'query'
              ? 'Ask a question'
              : 'Choose an object'
        }
      >
        <p>
          {state.mode === 'path'
            ? 'All shortest ways from one to the other are drawn from left to right.'
            : state.mode === 'query'
              ? 'Write one, or take one of those that are there.'
              : found !== undefined
                ? 'The object is not in the newest results.'
                : 'Its relations are drawn; what it can do stands beside them.'}
        </p>
      </Empty>
    </div>
  );
}

function NoPathFound({
  state,
  noPath,
}: {
  readonly state: ExploreState;
  readonly noPath: NonNullable<Found['noPath']>;
}) {
  return (
    <div className="scroll">
      <Empty title="There is no path">
        {state.without.size > 0 && <p>Some kinds of relations are left out: with them there may be one.</p>}
        {!isSet(state.from) && !isSet(state.to) && (
          <p>
            From the start {counted(noPath.reached, 'object')} can be reached, and{' '}
            {counted(noPath.reaching, 'object')} can reach the end; none is in both.
          </p>
        )}
        {noPath.nearest.length > 0 && (
          <>
            <p>The shortest link between them, which hands no control on, leads over</p>
            <ul className="plain-list">
              {noPath.nearest.map((object) => (
                <li key={object.object_id}>
                  <ObjectLink object={object} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Empty>
    </div>
  );
}
