/** The drawing as tables: objects, relationships, and the rows of a query. */
import type { CypherResult } from '@clew/api';
import { useKindTexts } from '../../edges/useKindTexts.ts';
import { kindLook } from '../../graph/kinds.ts';
import { edgeKey, type Graph, type GraphEdge, type GraphNode } from '../../graph/model.ts';
import { KindMark } from '../../parts/KindMark.tsx';
import { Name } from '../../parts/Name.tsx';
import { PagedRows } from '../../parts/PagedList.tsx';
import { saveText } from '../../parts/save.ts';
import type { Column } from '../../parts/Table.tsx';
import { shortText, shownValue } from '../../text/cleanText.ts';
import { csvText } from '../../text/csv.ts';
import { counted, propertyText } from '../../text/formats.ts';
import { isMasked, maskedText } from '../../text/masking.ts';
import type { ExploreActions } from './exploreActions.ts';

const PAGE = 100;

interface GraphTableProps {
  readonly graph: Graph;
  readonly result: CypherResult | undefined;
  readonly seconds: number | undefined;
  readonly actions: ExploreActions;
  readonly nameOf: (id: string) => string;
}

export function GraphTable({ graph, result, seconds, actions, nameOf }: GraphTableProps) {
  const hasRows = result?.rows !== undefined && result.rows.length > 0 && !isOfObjects(result);
  const textOf = useKindTexts(graph.edges.map(({ kind }) => kind));
  const nodes: Column<GraphNode>[] = [
    { title: 'Kind', cell: ({ kind }) => <KindMark kind={kind} /> },
    {
      title: 'Object',
      cell: ({ id }) => (
        <button type="button" className="plain" onClick={() => actions.select(id)}>
          <Name text={nameOf(id)} id={id} />
        </button>
      ),
    },
    { title: 'Type', cell: ({ kind }) => kindLook(kind).label },
    { title: 'Zone', cell: ({ isTierZero }) => (isTierZero ? 'Tier Zero' : '') },
    { title: 'Owned', cell: ({ isOwned }) => (isOwned ? 'owned' : '') },
    { title: 'Object id', cell: ({ id }) => <Name text={id} /> },
  ];
  const edges: Column<GraphEdge>[] = [
    { title: 'From', cell: ({ source }) => <Name text={nameOf(source)} id={source} /> },
    {
      title: 'Relationship',
      cell: (edge) => (
        <button type="button" className="plain" onClick={() => actions.select(edgeKey(edge))}>
          {edge.kind}
        </button>
      ),
    },
    { title: 'To', cell: ({ target }) => <Name text={nameOf(target)} id={target} /> },
    { title: 'In words', cell: ({ kind }) => textOf(kind).phrase },
  ];
  return (
    <div className="scroll">
      {hasRows && <Rows result={result} seconds={seconds} />}
      {!(hasRows && graph.nodes.size === 0) && (
        <>
          <h2>
            {counted(graph.nodes.size, 'object')}
            {!hasRows && <Seconds of={seconds} />}{' '}
            <CsvButton
              name="clew-objects.csv"
              columns={['Object', 'Type', 'Zone', 'Owned', 'Object id']}
              rows={() =>
                [...graph.nodes.values()].map(({ id, kind, isTierZero, isOwned }) => [
                  ...[nameOf(id), kindLook(kind).label, isTierZero ? 'Tier Zero' : ''],
                  ...[isOwned ? 'owned' : '', isMasked() ? maskedText(id) : id],
                ])
              }
            />
          </h2>
          <PagedRows
            limit={PAGE}
            caption="Objects"
            columns={nodes}
            rows={[...graph.nodes.values()]}
            keyOf={({ id }) => id}
          />
          {graph.edges.length > 0 && (
            <>
              <h2>{counted(graph.edges.length, 'relationship')}</h2>
              <PagedRows
                limit={PAGE}
                caption="Relationships"
                columns={edges}
                rows={graph.edges}
                keyOf={edgeKey}
              />
            </>
          )}
        </>
      )}
    </div>
  );
}

const Seconds = ({ of }: { readonly of: number | undefined }) =>
  of !== undefined && <small className="quiet"> in {of.toFixed(1)} s</small>;

function CsvButton({
  name,
  columns,
  rows,
}: {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: () => readonly (readonly string[])[];
}) {
  return (
    <button type="button" onClick={() => saveText(name, csvText(columns, rows()), 'text/csv')}>
      Export CSV
    </button>
  );
}

/** Whether the result is a single column of objects, all of which are in the list of objects with more details. */
const isOfObjects = ({ columns, literals, edges }: CypherResult): boolean =>
  columns?.length === 1 && literals.length === 0 && edges.length === 0;

/** Rows with values that are not part of a graph: counts, names, lists. */
function Rows({ result, seconds }: { readonly result: CypherResult; readonly seconds: number | undefined }) {
  const columns = result.columns ?? [];
  const rows = (result.rows ?? []).map((cells, at) => ({ at, cells }));
  const text = (cell: unknown): string => (isPath(cell) ? 'path' : shownValue(named(cell)));
  /** A time is shown as a date; files contain the number. */
  const shown = (title: string, cell: unknown): string =>
    propertyText(title.split('.').at(-1) ?? title, cell) ?? text(cell);
  return (
    <>
      <h2>
        {counted(rows.length, 'row')}
        <Seconds of={seconds} />{' '}
        <CsvButton
          name="clew-rows.csv"
          columns={columns}
          rows={() => rows.map(({ cells }) => cells.map(text))}
        />
      </h2>
      <PagedRows
        limit={PAGE}
        caption="Rows"
        columns={columns.map((title, at) => ({
          title,
          cell: ({ cells }: { cells: readonly unknown[] }) => (
            <bdi>{shortText(shown(title, cells[at]), 300)}</bdi>
          ),
        }))}
        rows={rows}
        keyOf={({ at }) => at}
      />
    </>
  );
}

const isPath = (cell: unknown): boolean =>
  typeof cell === 'object' && cell !== null && 'nodes' in cell && 'edges' in cell;

/** Replaces objects with their names. */
function named(cell: unknown): unknown {
  if (typeof cell !== 'object' || cell === null || Array.isArray(cell)) return cell;
  const { label, name, kind } = cell as Readonly<Record<string, unknown>>;
  return label ?? name ?? kind ?? cell;
}
