/** Paths into a zone, for selecting cuts: selecting a relationship adds it to the selected changes, or removes it. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useKindTexts } from '../../edges/useKindTexts.ts';
import { type DrawnEdge, pathDrawingOf } from '../../graph/drawing.ts';
import { GraphView } from '../../graph/GraphView.tsx';
import { type Graph, plainEdge, plainName, plainNode, unite } from '../../graph/model.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { addToBasket, removeFromBasket, useBasket } from '../../parts/basket.ts';
import { withMarks } from '../../parts/graphMarks.ts';
import { NoData } from '../../parts/NoData.tsx';
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { useAnswer } from '../../service/queries.ts';

const CHOKE_POINTS = 14;
/** A relationship used by a single principal is not a choke point. */
const MIN_PRINCIPALS = 2;

export function CutDrawing({ zone }: { readonly zone: number }) {
  const query = useQuery({ queryKey: ['cut', zone], queryFn: ({ signal }) => readRelations(zone, signal) });
  return (
    <section className="card">
      <h2>Cut on the drawing</h2>
      <p className="quiet">
        The relationships that most attack paths use. Click one to cut it; click again to keep it.
      </p>
      <Answer query={query} what="the relationships" lines={6}>
        {(graph) => (graph.edges.length === 0 ? <NothingToCut /> : <Cutting graph={graph} />)}
      </Answer>
    </section>
  );
}

const EXAMPLE = '“AUTHENTICATED USERS can enroll with VPN-USERS: 390 users and computers pass through it”';

function NothingToCut() {
  const environments = useAnswer('GetAvailableDomains').data?.data;
  if (environments === undefined) return null;
  if (!environments.some(({ collected }) => collected))
    return (
      <NoData example={EXAMPLE}>
        Relationships that most attack paths use are drawn here, so that you can cut them.
      </NoData>
    );
  return (
    <Empty
      title={`No relationship is on every path of ${MIN_PRINCIPALS} or more users and computers`}
      example={EXAMPLE}
      action={{ words: 'See the repairs of Fix first', href: '/fix' }}
    >
      Each principal has several paths. The repairs of Fix first cut several paths at once.
    </Empty>
  );
}

function Cutting({ graph }: { readonly graph: Graph }) {
  const basket = useBasket();
  const textOf = useKindTexts(graph.edges.map(({ kind }) => kind));
  const drawing = useMemo(() => pathDrawingOf(graph, []), [graph]);
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
    const words = `${edge.edges.map(({ kind }) => kind).join(', ')} of ${plainName(graph, edge.source.id)} on ${plainName(graph, edge.target.id)}`;
    if (known === undefined) addToBasket(request, { title: `Cut ${words}` });
    else removeFromBasket(known);
    if (known !== undefined) notify(`Kept ${words}`);
  };
  const marks = [...cut].sort().join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text represents the set
  const highlight = useMemo(() => ({ selected: new Set<string>(), cut }), [marks]);
  return (
    <>
      <div className="framed">
        <GraphView
          drawing={drawing}
          label="Relationships that most attack paths use"
          highlight={highlight}
          onPick={(picked) => {
            if (picked?.edge !== undefined) toggle(picked.edge);
          }}
        />
      </div>
      <details>
        <summary>View as list</summary>
        <ul className="plain-list">
          {drawing.edges.map((edge) => (
            <li key={edge.id}>
              <label>
                <input type="checkbox" checked={cut.has(edge.id)} onChange={() => toggle(edge)} />{' '}
                {nameOf(edge.source.id)} {textOf(edge.edges[0].kind).phrase} {nameOf(edge.target.id)}{' '}
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
  const graph = unite(
    data.relations
      .filter(({ principal_count }) => principal_count >= MIN_PRINCIPALS)
      .map(({ source, kinds, target }) => ({
        nodes: new Map([source, target].map((object) => [object.object_id, plainNode(object)])),
        edges: kinds.map((kind) => plainEdge(source.object_id, kind, target.object_id)),
      })),
  );
  return withMarks(graph, signal);
}
