/** Paths into a zone, drawn to be cut: a relation that is picked goes into the changes to try, and comes out again. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { edgeText } from '../../edges/edgeKinds.ts';
import { type DrawnEdge, drawingOf } from '../../graph/drawing.ts';
import { GraphView } from '../../graph/GraphView.tsx';
import { layeredLayout } from '../../graph/layered.ts';
import { type Graph, plainEdge, plainNode, unite } from '../../graph/model.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { announce } from '../../parts/announce.ts';
import { call } from '../../service/client.ts';
import { addToBasket, removeFromBasket, useBasket } from './basket.ts';

const CHOKE_POINTS = 14;
/** What a single principal runs over is no choke point of many. */
const FEWEST_PRINCIPALS = 2;

export function CutDrawing({ zone }: { readonly zone: number }) {
  const query = useQuery({ queryKey: ['cut', zone], queryFn: ({ signal }) => readRelations(zone, signal) });
  return (
    <section className="card">
      <h2>Cut on the drawing</h2>
      <p className="quiet">
        The relations that the paths of most principals run over. Pick one to cut it; pick it again to leave
        it.
      </p>
      <Answer query={query} what="the relations" lines={6}>
        {(graph) =>
          graph.edges.length === 0 ? (
            <Empty title="No relation is on every path of any principal" />
          ) : (
            <Cutting graph={graph} />
          )
        }
      </Answer>
    </section>
  );
}

function Cutting({ graph }: { readonly graph: Graph }) {
  const basket = useBasket();
  const drawing = useMemo(() => drawingOf(graph, layeredLayout(graph), ({ name }) => name), [graph]);
  const itemOf = (edge: DrawnEdge) => {
    const request = {
      remove: edge.edges.map(({ source, kind, target }) => ({ source_id: source, kind, target_id: target })),
    };
    return {
      request,
      known: basket.find((item) => JSON.stringify(item.request) === JSON.stringify(request)),
    };
  };
  const cut = new Set(drawing.edges.filter((edge) => itemOf(edge).known !== undefined).map(({ id }) => id));
  const nameOf = (id: string): string => graph.nodes.get(id)?.name ?? id;
  const toggle = (edge: DrawnEdge) => {
    const { request, known } = itemOf(edge);
    const words = `${edge.edges.map(({ kind }) => kind).join(', ')} of ${nameOf(edge.source.id)} on ${nameOf(edge.target.id)}`;
    if (known === undefined) addToBasket(request, { title: `Take away ${words}` });
    else removeFromBasket(known);
    announce(known === undefined ? `Cut ${words}` : `Left ${words}`);
  };
  const marks = [...cut].sort().join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the set
  const highlight = useMemo(() => ({ selected: new Set<string>(), cut }), [marks]);
  return (
    <>
      <div className="framed">
        <GraphView
          drawing={drawing}
          label="Relations that most paths run over"
          highlight={highlight}
          onPick={(picked) => {
            if (picked?.edge !== undefined) toggle(picked.edge);
          }}
        />
      </div>
      <details>
        <summary>The same as a list</summary>
        <ul className="plain-list">
          {drawing.edges.map((edge) => (
            <li key={edge.id}>
              <label>
                <input type="checkbox" checked={cut.has(edge.id)} onChange={() => toggle(edge)} />{' '}
                {nameOf(edge.source.id)} {edgeText(edge.edges[0].kind).phrase} {nameOf(edge.target.id)}{' '}
                <span className="quiet">({edge.edges.map(({ kind }) => kind).join(', ')})</span>
              </label>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

async function readRelations(zone: number, signal: AbortSignal): Promise<Graph> {
  const { data } = await call(
    'GetChokePoints',
    { query: { asset_group_tag_id: zone, limit: CHOKE_POINTS } },
    { signal, wait: 120 },
  );
  return unite(
    data.relations
      .filter(({ principal_count }) => principal_count >= FEWEST_PRINCIPALS)
      .map(({ source, kinds, target }) => ({
        nodes: new Map([source, target].map((object) => [object.object_id, plainNode(object)])),
        edges: kinds.map((kind) => plainEdge(source.object_id, kind, target.object_id)),
      })),
  );
}
