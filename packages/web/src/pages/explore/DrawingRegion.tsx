/** The answer in Explore: a drawing, groups, or a table, with tools and a menu. */
import { type ReactNode, useMemo } from 'react';
import { isFolded } from '../../graph/fold.ts';
import { GraphView } from '../../graph/GraphView.tsx';
import type { Graph } from '../../graph/model.ts';
import { Waiting } from '../../parts/Answer.tsx';
import { announce } from '../../parts/announce.ts';
import { counted } from '../../text/formats.ts';
import { isMasked, maskedText } from '../../text/masking.ts';
import { AnswerNotices } from './AnswerNotices.tsx';
import { DrawingMenu, useMarks } from './DrawingMenu.tsx';
import { questionWords } from './exportTexts.ts';
import { FindInDrawing } from './FindInDrawing.tsx';
import { GraphTable } from './GraphTable.tsx';
import { LayoutProgress } from './LayoutProgress.tsx';
import { Legend } from './Legend.tsx';
import { Neighborhood } from './Neighborhood.tsx';
import { NothingToDraw } from './NothingToDraw.tsx';
import { isRefusedQuery } from './queryText.ts';
import { shownTitle } from './savedDrawing.ts';
import { type Face, Toolbar } from './Toolbar.tsx';
import type { Explore } from './useExplore.ts';

interface RegionProps {
  readonly explore: Explore;
}

interface DrawingRegionProps extends RegionProps {
  /** The panel of the selection; false without a selection. */
  readonly panel: ReactNode;
}

export function DrawingRegion({ explore, panel }: DrawingRegionProps) {
  const { state, query, additions, layout, graph, isTooLarge, open } = explore;
  const marksOf = useMarks();
  return (
    <div className="middle">
      <Tools explore={explore} />
      <AnswerNotices {...{ state, query, additions, graph, isTooLarge }} layoutError={layout.error} />
      <Shown explore={explore} panel={panel} />
      {open.menu !== undefined && <DrawingMenu explore={explore} place={open.menu} marksOf={marksOf} />}
    </div>
  );
}

/** Parameters of the address for a view of the answer. */
const addressOf = (face: Face) =>
  face === 'table'
    ? { show: 'table' }
    : {
        show: 'graph',
        layout: face === 'grouped' ? undefined : face,
        ...(face === 'grouped' && { with: undefined, only: undefined }),
      };

function Tools({ explore }: RegionProps) {
  const { state, whole, layout, nameOf, hasDrawing, face, query, opened, story, address, actions } = explore;
  return (
    <Toolbar
      {...{ state, whole, nameOf, hasDrawing, face, actions }}
      drawing={layout.drawing}
      idOf={(id) => (isMasked() ? maskedText(id) : id)}
      found={query.data}
      title={opened === undefined ? questionWords(state, nameOf) : shownTitle(opened)}
      cut={story.cut}
      onFace={(to) => address.set(addressOf(to), { replace: true })}
      onLabels={(labels) =>
        address.set({ labels: labels === 'kinds' ? undefined : labels }, { replace: true })
      }
      onUnhide={actions.unhide}
      onFold={actions.fold}
      onSave={hasDrawing ? explore.save : undefined}
    >
      {hasDrawing && face !== 'table' && <Chosen explore={explore} />}
    </Toolbar>
  );
}

/** The search in the drawing, and actions for objects that are selected together. */
function Chosen({ explore: { layout, marked, actions, dispatch } }: RegionProps) {
  const clear = () => dispatch({ type: 'mark', ids: [] });
  return (
    <>
      <FindInDrawing
        drawing={layout.drawing}
        onHits={(hits, at) => dispatch({ type: 'found', found: { hits, at } })}
      />
      {marked.size > 1 && (
        <span className="chips" role="status">
          <strong>{marked.size} chosen</strong>
          <button
            type="button"
            onClick={() => {
              actions.hideAll([...marked]);
              clear();
            }}
          >
            Hide
          </button>
          <button type="button" onClick={clear}>
            Clear
          </button>
        </span>
      )}
    </>
  );
}

function Shown({ explore, panel }: DrawingRegionProps) {
  const { query, graph, state, actions, nameOf, address, face, whole } = explore;
  if (query.isLoading)
    return (
      <div className="scroll">
        <Waiting what="the graph" lines={8} onCancel={explore.cancel} />
      </div>
    );
  // The form has the message.
  if (query.data === undefined && isRefusedQuery(state, query.error)) return null;
  if (graph.nodes.size === 0)
    return (
      <NothingToDraw
        {...{ state, actions, nameOf }}
        found={query.data}
        onFilters={(changes) => address.set(changes)}
      />
    );
  if (face === 'grouped' && state.object !== undefined)
    return (
      <Neighborhood
        objectId={state.object}
        selected={state.selected}
        hidden={state.hidden}
        without={state.without}
        onWithout={(without) => address.set({ without })}
        actions={actions}
        nameOf={({ name }) => name}
        onCenter={explore.center}
      />
    );
  if (face === 'table')
    return (
      <GraphTable
        graph={whole}
        result={query.data?.result}
        seconds={query.data?.seconds}
        actions={actions}
        nameOf={nameOf}
      />
    );
  return <Drawn explore={explore} panel={panel} />;
}

const drawingLabel = (whole: Graph, graph: Graph): string => {
  const counts = `Drawing of ${counted(whole.nodes.size, 'object')} and ${counted(whole.edges.length, 'relationship')}`;
  return graph.nodes.size < whole.nodes.size
    ? `${counts}, in ${counted(graph.nodes.size, 'box', 'boxes')}`
    : counts;
};

function Drawn({ explore, panel }: DrawingRegionProps) {
  const { graph, whole, layout, highlight, story, state, actions, dispatch, open, address } = explore;
  const { drawing, pinned, share } = layout;
  const { played } = story;
  const playedKey = played === undefined ? '' : JSON.stringify([played.source, played.target]);
  const revealed = useMemo(
    (): readonly string[] | undefined =>
      playedKey !== '' ? JSON.parse(playedKey) : open.found.at === undefined ? undefined : [open.found.at],
    [playedKey, open.found.at],
  );
  const isBeside = explore.isBeside && state.selected !== undefined && played === undefined;
  return (
    <GraphView
      drawing={drawing}
      question={layout.drawn}
      label={drawingLabel(whole, graph)}
      highlight={highlight}
      onPick={explore.pick}
      onOpen={({ id }) => {
        const node = graph.nodes.get(id);
        if (node !== undefined && !isFolded(id))
          actions.expand({ objectId: id, section: 'near', kind: node.kind });
      }}
      onMenu={({ node, edge }, x, y) =>
        dispatch({ type: 'menu', place: { id: node?.id ?? edge?.id, isNode: node !== undefined, x, y } })
      }
      revealed={revealed}
      beside={isBeside ? { id: state.selected, panel } : undefined}
      onMove={layout.move}
      onRelease={layout.release}
      onBox={(nodes) => {
        const ids = nodes.map(({ id }) => id).filter((id) => !isFolded(id));
        dispatch({ type: 'markMore', ids });
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
  );
}
