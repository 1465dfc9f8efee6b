/** Runs a query that changes a layer: clause by clause, so that each sees what the ones before it changed. */
import { type NamedRows, runClauses } from '../compile/queryCompiler.ts';
import { CypherError, placedText } from '../cypherError.ts';
import type { PropertyGraph } from '../graph/propertyGraph.ts';
import { Budget, DEFAULT_LIMITS } from '../run/budget.ts';
import { shallow } from '../run/shallow.ts';
import type { QueryOptions, QueryResult } from '../runQuery.ts';
import type { Clause } from '../syntax/ast.ts';
import { isUpdating, type UpdatingQuery } from '../syntax/updates.ts';
import { sizeOf } from '../values/size.ts';
import { TemporalInstant } from '../values/temporal/instant.ts';
import { isList, isMap, NodeValue, PathValue, RelationshipValue, type Value } from '../values/values.ts';
import type { GraphChanges } from './graphChanges.ts';
import { LayerEditor, REMOVED_EDGE, type UpdateCounts } from './layerEditor.ts';
import { boundedColumns, type LayeredColumns } from './layeredColumns.ts';
import { Updater } from './updater.ts';

export interface LayerState {
  readonly changes: GraphChanges;
  /** Absent while the layer makes and removes nothing. */
  readonly columns: LayeredColumns | undefined;
}

/** Opens a layer in the limits of a query. @throws CypherError for too many bytes, errors of `checkpoint` */
export function layerStateOf(
  base: PropertyGraph,
  changes: GraphChanges,
  { limits, checkpoint = () => {} }: Pick<QueryOptions, 'limits' | 'checkpoint'> = {},
): LayerState {
  if (!changes.isStructural) return { changes, columns: undefined };
  const budget = new Budget({ ...DEFAULT_LIMITS, ...limits }, checkpoint);
  return { changes, columns: boundedColumns(base, changes, budget) };
}

export interface UpdateResult extends QueryResult {
  readonly counts: UpdateCounts;
  readonly state: LayerState;
  /** The graph with the changes; the rows name its nodes and relationships. */
  readonly graph: PropertyGraph;
}

/**
 * @param base the graph below the layer @param before not changed @throws CypherError, errors of `checkpoint`; the layer is then as
 * before
 */
export function runUpdates(
  text: string,
  query: UpdatingQuery,
  base: PropertyGraph,
  before: LayerState,
  options: Omit<QueryOptions, 'take' | 'partial' | 'profile' | 'asGraph'> = {},
): UpdateResult {
  const { parameters = {}, checkpoint = () => {}, now = Date.now() } = options;
  const warnings = new Set<string>();
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const budget = new Budget(limits, checkpoint);
  budget.spend(before.changes.size);
  const editor = new LayerEditor(base, before.changes.copy(), before.columns, budget);
  const updater = new Updater(editor, {
    ...{ parameters, budget, now: TemporalInstant.ofEpochMillis(now) },
    warn: (warning, at) => warnings.add(at === undefined ? warning : placedText(warning, text, at)),
  });
  return shallow(() => {
    let table: NamedRows = { columns: [], rows: [{}] };
    let reading: Clause[] = [];
    const read = (): void => {
      if (reading.length === 0) return;
      const found = runClauses(reading, table, updater.context);
      budget.release(table.rows.length);
      table = found;
      reading = [];
    };
    for (const clause of query) {
      if (!isUpdating(clause)) {
        reading.push(clause);
        continue;
      }
      read();
      table = updater.apply(clause, table);
    }
    const last = query[query.length - 1];
    const isAnswered = last.type === 'return';
    if (!isAnswered && !isUpdating(last))
      throw new CypherError(
        'syntax',
        'mismatched input: a query ends with RETURN, or with a change',
        last.at,
      );
    read();
    const columns = isAnswered ? table.columns : [];
    const answered = isAnswered ? table.rows.map((row) => columns.map((name) => row[name])) : [];
    let size = 0;
    for (const row of answered)
      for (const value of row) {
        size += sizeOf(value, limits.results - size);
        if (size > limits.results)
          throw new CypherError('limit', `the answer has more than ${limits.results} values: use LIMIT`);
      }
    return {
      ...{ columns, plan: [], steps: budget.steps, isEmpty: false },
      rows: answered.map((row) => row.map((value) => withoutRemoved(value, editor.graph))),
      warnings: [...warnings],
      counts: editor.counts,
      state: { changes: editor.changes, columns: editor.columns },
      graph: editor.graph,
    };
  });
}

/** Nodes and relationships that the query removed are null in its answer. */
function withoutRemoved(value: Value, graph: PropertyGraph): Value {
  const isGone = (node: number): boolean => graph.isHidden?.(node) === true;
  if (value instanceof NodeValue) return isGone(value.node) ? null : value;
  if (value instanceof RelationshipValue)
    return value.edge === REMOVED_EDGE || isGone(graph.startOf(value.edge)) ? null : value;
  if (value instanceof PathValue)
    return value.edges.includes(REMOVED_EDGE) || value.nodes.some(isGone) ? null : value;
  if (isList(value)) return value.map((item) => withoutRemoved(item, graph));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutRemoved(inner, graph)]));
}
