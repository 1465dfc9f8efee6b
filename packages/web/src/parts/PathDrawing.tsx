/** A path, drawn small, with the same as a list beside it. */
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { pathTo } from '../address.ts';
import { edgeText } from '../edges/edgeKinds.ts';
import { drawingOf } from '../graph/drawing.ts';
import { GraphView, useHighlight } from '../graph/GraphView.tsx';
import { layeredLayout } from '../graph/layered.ts';
import { edgeKey, type Graph } from '../graph/model.ts';
import { Name } from './Name.tsx';

export function PathDrawing({
  graph,
  from,
  label,
}: {
  readonly graph: Graph;
  readonly from: string;
  readonly label: string;
}) {
  const [, navigate] = useLocation();
  const [selected, setSelected] = useState<string>();
  const drawing = useMemo(
    () => drawingOf(graph, layeredLayout(graph, [from]), ({ name }) => name),
    [graph, from],
  );
  const highlight = useHighlight(drawing, selected);
  return (
    <>
      <div className="framed">
        <GraphView
          drawing={drawing}
          label={label}
          highlight={highlight}
          onPick={(picked) => setSelected(picked?.node?.id ?? picked?.edge?.id)}
          onOpen={({ id }) => navigate(pathTo('explore', { object: id }))}
        />
      </div>
      <details>
        <summary>The same as a list</summary>
        <RelationList graph={graph} />
      </details>
    </>
  );
}

function RelationList({ graph }: { readonly graph: Graph }) {
  return (
    <ol className="edge-list">
      {graph.edges.map((edge) => (
        <li key={edgeKey(edge)}>
          <Name text={graph.nodes.get(edge.source)?.name} id={edge.source} /> {edgeText(edge.kind).phrase}{' '}
          <Name text={graph.nodes.get(edge.target)?.name} id={edge.target} />{' '}
          <span className="quiet">({edge.kind})</span>
        </li>
      ))}
    </ol>
  );
}
