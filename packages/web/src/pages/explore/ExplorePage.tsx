/** Explore: objects, the paths between them, and queries; drawn and as a table, with the selection next to it. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useAddress } from '../../address.ts';
import { isFolded } from '../../graph/fold.ts';
import { GraphView } from '../../graph/GraphView.tsx';
import type { Graph, GraphNode } from '../../graph/model.ts';
import type { Picked } from '../../graph/pick.ts';
import { useHighlight } from '../../graph/useHighlight.ts';
import { Waiting } from '../../parts/Answer.tsx';
import { announce } from '../../parts/announce.ts';
import { notify } from '../../parts/notices.ts';
import { useStacked } from '../../parts/useNarrow.ts';
import { describeError } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';
import { isMasked, maskedText } from '../../text/masking.ts';
import { AnswerNotices } from './AnswerNotices.tsx';
import { CannotChange, type Fixed } from './CannotChange.tsx';
import { ContextMenu, type MenuPlace } from './ContextMenu.tsx';
import { DrawingCard } from './DrawingCard.tsx';
import { leavingDrawing, NOTHING_ASKED } from './drawingAddress.ts';
import { useExploreActions } from './exploreActions.ts';
import { type ExploreState, fromOlderAddress, stateOf } from './exploreState.ts';
import { questionWords } from './exportTexts.ts';
import { FindInDrawing } from './FindInDrawing.tsx';
import { faceOf, isTooLargeToDraw } from './face.ts';
import { GraphTable } from './GraphTable.tsx';
import { LayoutProgress } from './LayoutProgress.tsx';
import { Legend } from './Legend.tsx';
import { MARK_EFFECT, markChanges, useMarkChange } from './markChange.ts';
import { Neighborhood } from './Neighborhood.tsx';
import { NothingToDraw } from './NothingToDraw.tsx';
import { PasteNames } from './PasteNames.tsx';
import { Question } from './Question.tsx';
import { SaveDrawing } from './SaveDrawing.tsx';
import { SelectionPanel } from './SelectionPanel.tsx';
import { Story } from './Story.tsx';
import { drawingContent, shownTitle, tooLarge } from './savedDrawing.ts';
import { Toolbar } from './Toolbar.tsx';
import { useDrawing } from './useDrawing.ts';
import { useExploreGraph } from './useExploreGraph.ts';
import { useLabels } from './useLabels.ts';
import { useStory } from './useStory.ts';

/** The question of a saved drawing: a path that was saved has its story, too. */
function askedOf(address: string): Pick<ExploreState, 'mode' | 'to'> {
  const saved = new URLSearchParams(address);
  return { mode: saved.get('mode') === 'path' ? 'path' : 'object', to: saved.get('to') ?? undefined };
}

const drawingLabel = (whole: Graph, graph: Graph): string => {
  const counts = `Drawing of ${counted(whole.nodes.size, 'object')} and ${counted(whole.edges.length, 'relationship')}`;
  return graph.nodes.size < whole.nodes.size
    ? `${counts}, in ${counted(graph.nodes.size, 'box', 'boxes')}`
    : counts;
};

/** Hits of a search in the drawing. */
interface Found {
  readonly hits: ReadonlySet<string>;
  readonly at: string | undefined;
}

const NOTHING_FOUND: Found = { hits: new Set(), at: undefined };

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
  const nameOf = useCallback((id: string) => whole.nodes.get(id)?.name ?? cleanText(id), [whole]);
  const actions = useExploreActions(address, state, nameOf);
  const queries = useQueryClient();
  const [menu, setMenu] = useState<MenuPlace>();
  const [saving, setSaving] = useState(false);
  const [dialog, setDialog] = useState<{ readonly paste: true } | { readonly fixed: Fixed }>();
  const self = useSelf();
  const isTooLarge = isTooLargeToDraw(graph);
  const face = faceOf(state, isTooLarge, query.data);
  // The drawing exists behind a table, so it can be saved from there, too.
  const hasDrawing = graph.nodes.size > 0 && !isTooLarge && face !== 'grouped';
  const opened = query.data?.opened;
  const labelOf = useLabels(state.labels, whole);
  const {
    drawing,
    drawn,
    pinned,
    move,
    release,
    error: layoutError,
    share,
  } = useDrawing(hasDrawing ? graph : undefined, state, query.data?.starts, nameOf, labelOf, opened);
  const asked = opened === undefined ? state : askedOf(opened.address);
  const story = useStory(whole, query.data, asked);
  const chosen = useHighlight(drawing, state.selected, story.cut);
  const [found, setFound] = useState<Found>(NOTHING_FOUND);
  // Objects that are chosen together, in addition to the selection.
  const [allMarked, setMarked] = useState<ReadonlySet<string>>(NOTHING_FOUND.hits);
  const marked = useMemo(
    () => new Set([...allMarked].filter((id) => whole.nodes.has(id))),
    [allMarked, whole],
  );
  const highlight = useMemo(
    () => ({ ...chosen, selected: new Set([...chosen.selected, ...found.hits, ...marked]), pinned }),
    [chosen, found, marked, pinned],
  );
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
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z')
        if (event.shiftKey ? actions.redo() : actions.undo()) event.preventDefault();
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
  const cannotChange = self?.may('graphdb/Mutate') ? (fixed: Fixed) => setDialog({ fixed }) : undefined;
  const maySave = self?.may('saved_queries/Write') ?? false;
  const save = () => {
    const fault = tooLarge(whole);
    if (fault === undefined) setSaving(true);
    else notify(fault);
  };
  const pick = (picked: Picked | undefined, isMore: boolean) => {
    setMenu(undefined);
    const node = picked?.node?.id;
    if (isMore && node !== undefined && !isFolded(node)) {
      const next = new Set(marked.size === 0 && state.selected !== undefined ? [state.selected] : marked);
      if (!next.delete(node)) next.add(node);
      setMarked(next);
      return;
    }
    setMarked(NOTHING_FOUND.hits);
    if (picked?.node !== undefined && isFolded(picked.node.id)) actions.unfold(picked.node.id);
    else actions.select(picked?.node?.id ?? picked?.edge?.id);
  };
  const marks = useMarkChange();
  const marksOf = (node: GraphNode | undefined): readonly (readonly [string, () => void])[] =>
    node === undefined || self?.may('graphdb/Write') !== true
      ? []
      : markChanges(node).map(([words, change]) => [
          words,
          () =>
            marks.mutate(change, {
              onSuccess: () => notify(`${words}: ${node.name}. ${MARK_EFFECT}`),
              onError: (error) => notify(describeError(error).text),
            }),
        ]);
  const center = (object: string) =>
    address.set({
      mode: undefined,
      object,
      selected: object,
      with: undefined,
      hide: undefined,
      only: undefined,
    });

  const isDrawn = hasDrawing && (face === 'layers' || face === 'free') && !query.isLoading;
  const isStacked = useStacked();
  const isBeside = isDrawn && !isStacked;
  const playedKey =
    story.played === undefined ? '' : JSON.stringify([story.played.source, story.played.target]);
  const revealed = useMemo(
    (): readonly string[] | undefined =>
      playedKey !== '' ? JSON.parse(playedKey) : found.at === undefined ? undefined : [found.at],
    [playedKey, found.at],
  );
  // While a path is played, its sentence is in the story, and nothing covers the drawing.
  const panel = story.played === undefined && (
    <SelectionPanel
      {...{ state, address, actions, whole, drawing }}
      onCenter={center}
      onCannotChange={cannotChange}
    />
  );

  return (
    <div className={`explore explore-${opened === undefined ? state.mode : 'drawing'}`}>
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
        {story.path !== undefined && <Story graph={whole} {...{ story, state, actions, nameOf }} />}
      </Question>
      <div className="middle">
        <Toolbar
          {...{ state, whole, drawing, nameOf, hasDrawing, face }}
          idOf={(id) => (isMasked() ? maskedText(id) : id)}
          found={query.data}
          title={opened === undefined ? questionWords(state, nameOf) : shownTitle(opened)}
          cut={story.cut}
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
          actions={actions}
          onLabels={(labels) =>
            address.set({ labels: labels === 'kinds' ? undefined : labels }, { replace: true })
          }
          onUnhide={actions.unhide}
          onFold={actions.fold}
          onSave={maySave && hasDrawing ? save : undefined}
        >
          {hasDrawing && face !== 'table' && (
            <>
              <FindInDrawing drawing={drawing} onHits={(hits, at) => setFound({ hits, at })} />
              {marked.size > 1 && (
                <span className="chips" role="status">
                  <strong>{marked.size} chosen</strong>
                  <button
                    type="button"
                    onClick={() => {
                      actions.hideAll([...marked]);
                      setMarked(NOTHING_FOUND.hits);
                    }}
                  >
                    Hide
                  </button>
                  <button type="button" onClick={() => setMarked(NOTHING_FOUND.hits)}>
                    Clear
                  </button>
                </span>
              )}
            </>
          )}
        </Toolbar>
        <AnswerNotices {...{ query, additions, layoutError, graph, isTooLarge }} />
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
            without={state.without}
            actions={actions}
            nameOf={({ name }) => name}
            onCenter={center}
          />
        ) : face === 'table' ? (
          <GraphTable
            graph={whole}
            result={query.data?.result}
            seconds={query.data?.seconds}
            actions={actions}
            nameOf={nameOf}
          />
        ) : (
          <GraphView
            drawing={drawing}
            question={drawn}
            label={drawingLabel(whole, graph)}
            highlight={highlight}
            onPick={pick}
            onOpen={({ id }) => {
              const node = graph.nodes.get(id);
              if (node !== undefined && !isFolded(id))
                actions.expand({ objectId: id, section: 'near', kind: node.kind });
            }}
            onMenu={({ node, edge }, x, y) =>
              setMenu({ id: node?.id ?? edge?.id, isNode: node !== undefined, x, y })
            }
            revealed={revealed}
            beside={
              isBeside && state.selected !== undefined && story.played === undefined
                ? { id: state.selected, panel }
                : undefined
            }
            onMove={move}
            onRelease={release}
            onBox={(nodes) => {
              const ids = nodes.map(({ id }) => id).filter((id) => !isFolded(id));
              setMarked(new Set([...marked, ...ids]));
              announce(`${counted(ids.length, 'object')} chosen`);
            }}
            withMap
          >
            <Legend drawing={drawing} pinned={pinned} isCut={story.cut.size > 0} />
            {share !== undefined && (
              <LayoutProgress
                share={share}
                objects={graph.nodes.size}
                onCancel={() => address.set({ show: 'table' }, { replace: true })}
              />
            )}
          </GraphView>
        )}
        {menu !== undefined && (
          <ContextMenu
            place={menu}
            graph={graph}
            actions={actions}
            address={address}
            state={state}
            isPinned={menu.id !== undefined && pinned.has(menu.id)}
            ground={[
              ...(actions.done.length > 0
                ? ([[`Undo: ${actions.done.at(-1)}`, () => void actions.undo()]] as const)
                : []),
              ...(state.hidden.size > 0
                ? ([[`Show hidden (${state.hidden.size})`, actions.unhide]] as const)
                : []),
              [
                'Select all',
                () => setMarked(new Set(drawing.nodes.map(({ id }) => id).filter((id) => !isFolded(id)))),
              ],
              ['Paste names…', () => setDialog({ paste: true })],
              ...(maySave ? ([['Save…', save]] as const) : []),
              ['View as table', () => address.set({ show: 'table' }, { replace: true })],
            ]}
            onRelease={() => menu.id !== undefined && release(menu.id)}
            onPin={() => {
              const node = drawing.nodes.find(({ id }) => id === menu.id);
              if (node !== undefined) move(node.id, { x: node.x, y: node.y });
            }}
            marks={marksOf(whole.nodes.get(menu.id ?? ''))}
            onCannotChange={cannotChange}
            onClose={() => setMenu(undefined)}
          />
        )}
      </div>
      {dialog !== undefined && 'paste' in dialog && (
        <PasteNames address={address} onClose={() => setDialog(undefined)} />
      )}
      {dialog !== undefined && 'fixed' in dialog && (
        <CannotChange fixed={dialog.fixed} graph={whole} onClose={() => setDialog(undefined)} />
      )}
      {saving && (
        <SaveDrawing
          content={content()}
          onSaved={({ id }) => address.set({ ...NOTHING_ASKED, drawing: id })}
          onClose={() => setSaving(false)}
        />
      )}
      {!isBeside && panel}
    </div>
  );
}
