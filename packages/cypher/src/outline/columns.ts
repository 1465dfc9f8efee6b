/** Static types of the columns of a query: nodes, other parts of the graph, lists of them, or plain values. */
import { hasAggregate } from '../compile/projection.ts';
import type { Clause, Expression, PathPattern, Projection, Query } from '../syntax/ast.ts';

/** `list` may contain parts of the graph, `plain` never does, and `any` is unknown before the query runs. */
export type Holding = 'node' | 'relationship' | 'path' | 'list' | 'plain' | 'any';

export interface Column {
  readonly name: string;
  readonly holds: Holding;
  /** Whether it is an aggregate of many rows, such as a count or a sum. */
  readonly isFigure: boolean;
}

type Names = ReadonlyMap<string, Holding>;

/** @returns the columns of the last clause; `any` if the parts of a UNION differ */
export function columnsOf(query: Query): readonly Column[] {
  const [first, ...others] = query.parts.map(({ clauses }) => lastOf(clauses, new Map()).columns);
  return first.map((column, at) =>
    others.every((columns) => columns[at]?.holds === column.holds) ? column : { ...column, holds: 'any' },
  );
}

function lastOf(
  clauses: readonly Clause[],
  outer: Names,
): { readonly columns: readonly Column[]; readonly names: Names } {
  let names = outer;
  let columns: readonly Column[] = [];
  for (const clause of clauses) {
    if (clause.type === 'match') names = new Map([...names, ...clause.patterns.flatMap(namesOfPattern)]);
    else if (clause.type === 'unwind')
      names = new Map([...names, [clause.variable, itemsOf(clause.list, names)]]);
    else if (clause.type === 'procedure') names = new Map([...names, ...namesOfProcedure(clause)]);
    else if (clause.type === 'subquery') {
      const [part, ...more] = clause.query.parts.map((one) => lastOf(one.clauses, names).names);
      const made = [...part].map(
        ([name, holds]) => [name, more.every((other) => other.get(name) === holds) ? holds : 'any'] as const,
      );
      names = new Map([...names, ...made]);
    } else {
      columns = projected(clause.projection, names);
      names = new Map(columns.map(({ name, holds }) => [name, holds]));
    }
  }
  return { columns, names };
}

const namesOfProcedure = ({
  yields,
}: Extract<Clause, { type: 'procedure' }>): (readonly [string, Holding])[] =>
  yields.map(({ column, variable }) => [variable, column === 'path' ? 'path' : 'plain']);

function namesOfPattern({ variable, nodes, relationships }: PathPattern): (readonly [string, Holding])[] {
  return [
    ...(variable === undefined ? [] : [[variable, 'path'] as const]),
    ...nodes.flatMap((node) => (node.variable === undefined ? [] : [[node.variable, 'node'] as const])),
    ...relationships.flatMap(({ variable: name, length, group }) => [
      ...(name === undefined ? [] : [[name, length === undefined ? 'relationship' : 'list'] as const]),
      ...[group?.starts, group?.ends].flatMap((end) =>
        end?.variable === undefined ? [] : [[end.variable, 'list'] as const],
      ),
    ]),
  ];
}

function projected({ all, items }: Projection, names: Names): Column[] {
  const known = all ? [...names].sort(([a], [b]) => (a < b ? -1 : 1)) : [];
  return [
    ...known.map(([name, holds]) => ({ name, holds, isFigure: false })),
    ...items.map(({ expression, name }) => ({
      ...{ name, holds: holdingOf(expression, names) },
      isFigure: hasAggregate(expression) && holdingOf(expression, names) === 'plain',
    })),
  ];
}

/** @returns the type of an item of the list */
function itemsOf(list: Expression, names: Names): Holding {
  if (list.type === 'list') return common(list.items.map((item) => holdingOf(item, names)));
  if (list.type !== 'call') return 'any';
  if (list.name === 'nodes') return 'node';
  if (list.name === 'relationships' || list.name === 'rels') return 'relationship';
  if (list.name === 'collect' && list.args.length === 1) return holdingOf(list.args[0], names);
  return PLAIN_LISTS.has(list.name) ? 'plain' : 'any';
}

const PLAIN_LISTS: ReadonlySet<string> = new Set([
  ...['labels', 'keys', 'range', 'split'],
  ...['tostringlist', 'tointegerlist', 'tofloatlist', 'tobooleanlist'],
]);

/** Functions that return nodes, lists, or values of unknown type. */
const OF_NODES: ReadonlySet<string> = new Set(['startnode', 'endnode']);
const OF_LISTS: ReadonlySet<string> = new Set(['nodes', 'relationships', 'rels', 'collect', 'tail']);
const OF_ANY: ReadonlySet<string> = new Set(['coalesce', 'nullif', 'head', 'last', 'min', 'max', 'reverse']);

/** @param names types of the variables in scope */
function holdingOf(expression: Expression, names: Names): Holding {
  switch (expression.type) {
    case 'variable':
      return names.get(expression.name) ?? 'any';
    case 'call':
      return ofCall(expression, names);
    case 'list':
      return expression.items.every((item) => holdingOf(item, names) === 'plain') ? 'plain' : 'list';
    case 'comprehension':
    case 'patternComprehension':
    case 'slice':
      return 'list';
    case 'case': {
      const { whens, otherwise } = expression;
      const results = whens.map(({ result }) => result);
      return common([...results, ...(otherwise ? [otherwise] : [])].map((one) => holdingOf(one, names)));
    }
    // Properties contain no part of the graph, but entries of a map may.
    case 'property':
      return ['node', 'relationship'].includes(holdingOf(expression.of, names)) ? 'plain' : 'any';
    case 'binary':
      // A list plus a node is a list.
      return (expression.operator === '+' || expression.operator === '||') &&
        [expression.left, expression.right].some((one) => holdingOf(one, names) !== 'plain')
        ? 'any'
        : 'plain';
    case 'index':
    case 'map':
    case 'mapProjection':
    case 'parameter':
    case 'reduce':
      return 'any';
    default:
      return 'plain';
  }
}

function ofCall({ name, args }: Extract<Expression, { type: 'call' }>, names: Names): Holding {
  if (OF_NODES.has(name)) return 'node';
  if (OF_LISTS.has(name)) return 'list';
  return OF_ANY.has(name) ? common(args.map((one) => holdingOf(one, names))) : 'plain';
}

function common(holdings: readonly Holding[]): Holding {
  const [first] = holdings;
  return first !== undefined && first !== 'list' && holdings.every((one) => one === first) ? first : 'any';
}
