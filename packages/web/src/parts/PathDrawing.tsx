/** A small drawing of a path, with the same path as a list next to it. */
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { objectPath } from '../address.ts';
import { useKindTexts } from '../edges/useKindTexts.ts';
import { pathDrawingOf } from '../graph/drawing.ts';
import { GraphView } from '../graph/GraphView.tsx';
import { edgeKey, type Graph } from '../graph/model.ts';
import { useHighlight } from '../graph/useHighlight.ts';
import { useFonts } from '../text/measure.ts';
import { useMarks } from './graphMarks.ts';
import { Name } from './Name.tsx';

export function PathDrawing({
  graph: plain,
  from,
  label,
}: {
  readonly graph: Graph;
  readonly from: string;
  readonly label: string;
}) {
  const [, navigate] = useLocation();
  const [selected, setSelected] = useState<string>();
  const fonts = useFonts();
  const graph = useMarks(plain);
  // biome-ignore lint/correctness/useExhaustiveDependencies: boxes are measured again after the font has loaded
  const drawing = useMemo(() => pathDrawingOf(graph, [from]), [graph, from, fonts]);
  const highlight = useHighlight(drawing, selected);
  return (
    <>
      <div className="framed">
        <GraphView
          drawing={drawing}
          label={label}
          highlight={highlight}
          onPick={(picked) => setSelected(picked?.node?.id ?? picked?.edge?.id)}
          onOpen={({ id }) => navigate(objectPath(id))}
        />
      </div>
      <details>
        <summary>View as list</summary>
        <RelationList graph={graph} />
      </details>
    </>
  );
}

function RelationList({ graph }: { readonly graph: Graph }) {
  const textOf = useKindTexts(graph.edges.map(({ kind }) => kind));
  return (
    <ol className="edge-list">
      {graph.edges.map((edge) => (
        <li key={edgeKey(edge)}>
          <Name text={graph.nodes.get(edge.source)?.name} id={edge.source} /> {textOf(edge.kind).phrase}{' '}
          <Name text={graph.nodes.get(edge.target)?.name} id={edge.target} />{' '}
          <span className="quiet">({edge.kind})</span>
        </li>
      ))}
    </ol>
  );
}
