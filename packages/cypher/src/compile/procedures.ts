/**
 * Procedures for weighted paths, with the arguments and columns that published queries use: `apoc.algo.dijkstra` and
 * `gds.shortestPath.dijkstra.stream`. They find the same paths as `EASIEST`.
 *
 * Rule: `docs/cypher.md#weighted-paths`.
 */
import type { Scope, Variable } from '../bind/scope.ts';
import { CypherError } from '../cypherError.ts';
import type { PropertyGraph } from '../graph/propertyGraph.ts';
import { FollowedTypes } from '../match/followedTypes.ts';
import { TYPE_COUNT } from '../match/matchState.ts';
import { forEachEdge } from '../match/steps.ts';
import type { WeightedGraph, WeightedPath } from '../match/weightedSearch.ts';
import { easiestPaths, WeightedSearch, weightsBy } from '../match/weightedSearch.ts';
import { noType } from '../names/unknownNames.ts';
import type { Operator, Row, RunContext } from '../run/context.ts';
import type { Clause, Expression } from '../syntax/ast.ts';
import { MAX_EASIEST } from '../syntax/patternParser.ts';
import {
  isInteger,
  isList,
  isMap,
  NodeValue,
  numberOf,
  PathValue,
  toFloat,
  typeName,
  type Value,
} from '../values/values.ts';
import type { ExpressionCompiler } from './expressionCompiler.ts';
import { hasAggregate } from './projection.ts';

type ProcedureClause = Extract<Clause, { type: 'procedure' }>;
type Columns = Readonly<Record<string, Value>>;
type Take = (columns: Columns) => boolean;
/** The value of an argument, or of a member of one, with its position in the query. */
interface Argument {
  readonly value: Value;
  readonly at: number;
  /** Offsets of the members of a map, by key, if the query has them. */
  readonly membersAt?: ReadonlyMap<string, number>;
}
/** @param take returns false to stop @returns false if it stopped */
type Run = (args: readonly Argument[], searches: PathSearches, take: Take) => boolean;

interface Procedure {
  readonly least: number;
  readonly most: number;
  readonly run: Run;
}

const PROCEDURES: Readonly<Record<string, Procedure>> = {
  'apoc.algo.dijkstra': {
    ...{ least: 4, most: 6 },
    run: ([start, end, types, property, otherwise, count], searches, take) =>
      ofApoc({ start, end, types, property, otherwise, count }, searches, take),
  },
  'apoc.algo.dijkstrawithdefaultweight': {
    ...{ least: 5, most: 5 },
    run: ([start, end, types, property, otherwise], searches, take) =>
      ofApoc({ start, end, types, property, otherwise, count: undefined }, searches, take),
  },
  'gds.shortestpath.dijkstra.stream': { least: 2, most: 2, run: ofGds },
};

/** Runs the procedure for each row. */
export function compileProcedure(
  { name, args, yields, at }: ProcedureClause,
  scope: Scope,
  expressions: ExpressionCompiler,
  context: RunContext,
): { readonly operator: Operator; readonly scope: Scope } {
  const { least, most, run } = PROCEDURES[name];
  if (args.length < least || args.length > most)
    throw new CypherError(
      'meaning',
      `${name} takes ${least === most ? least : `${least} to ${most}`} arguments, not ${args.length}`,
      at,
    );
  const evaluated = args.map((argument) => {
    if (hasAggregate(argument)) throw new CypherError('meaning', 'CALL cannot aggregate', argument.at);
    const evaluate = expressions.compile(argument, scope);
    const place = { at: argument.at, ...(argument.type === 'map' && { membersAt: membersAt(argument) }) };
    return (row: Row): Argument => ({ value: evaluate(row), ...place });
  });
  let after = scope;
  const outputs: (readonly [column: string, Variable])[] = [];
  for (const { column, variable } of yields) {
    if (after.find(variable) !== undefined)
      throw new CypherError('meaning', `the variable \`${variable}\` is already defined`, at);
    const made = after.with(variable, column === 'path' ? 'path' : 'value');
    after = made.scope;
    outputs.push([column, made.variable]);
  }
  const searches = new PathSearches(context);
  const operator: Operator = (next) => ({
    row: (row) =>
      run(
        evaluated.map((evaluate) => evaluate(row)),
        searches,
        (columns) => {
          for (const [column, { slot }] of outputs) row[slot] = columns[column];
          return next.row(row);
        },
      ),
    end: () => next.end(),
  });
  return { operator, scope: after };
}

const membersAt = ({ entries }: Extract<Expression, { type: 'map' }>): ReadonlyMap<string, number> =>
  new Map(entries.map(([key, { at }]) => [key, at]));

interface ApocCall {
  readonly start: Argument;
  readonly end: Argument;
  readonly types: Argument;
  readonly property: Argument;
  readonly otherwise: Argument | undefined;
  readonly count: Argument | undefined;
}

function ofApoc(call: ApocCall, searches: PathSearches, take: Take): boolean {
  if (call.start.value === null || call.end.value === null) return true;
  const [start, end] = [nodeOf(call.start), nodeOf(call.end)];
  const count = countOf(call.count);
  searches.along({
    ...directedTypes(textOf(call.types, 'the relationship types')),
    property: textOf(call.property, 'the name of the weight'),
    propertyAt: call.property.at,
    otherwise: defaultWeight(call.otherwise),
  });
  return searches.between(start, end, count, ({ nodes, edges, weights }) =>
    take({ path: new PathValue(nodes, edges), weight: toFloat(weights[weights.length - 1]) }),
  );
}

/** @returns `undefined` for null and NaN: without a default weight */
function defaultWeight(argument: Argument | undefined): number | undefined {
  if (argument === undefined || argument.value === null) return undefined;
  const weight = numberOf(argument.value);
  if (weight === undefined || weight < 0)
    throw new CypherError(
      'value',
      `the default weight must be a number of 0 or more, not ${weight ?? typeName(argument.value)}`,
      argument.at,
    );
  return Number.isNaN(weight) ? undefined : weight;
}

function countOf(argument: Argument | undefined): number {
  if (argument === undefined) return 1;
  const { value, at } = argument;
  if (!isInteger(value) || value < 1 || value > MAX_EASIEST)
    throw new CypherError('value', `the number of paths is an integer from 1 to ${MAX_EASIEST}`, at);
  return value;
}

const GDS_KEYS = [
  ...['sourceNode', 'targetNode', 'targetNodes', 'relationshipWeightProperty', 'relationshipTypes'],
];
const GDS_IGNORED = ['concurrency', 'logProgress', 'sudo', 'username', 'jobId'];

/** The name of the graph is not used, because there are no projections: each name means the whole graph. */
function ofGds([name, options]: readonly Argument[], searches: PathSearches, take: Take): boolean {
  textOf(name, 'the name of the graph');
  const { value: config, at } = options;
  if (!isMap(config))
    throw new CypherError('value', `the configuration is a map, not ${typeName(config)}`, at);
  const member = (key: string): Argument => ({
    value: Object.hasOwn(config, key) ? config[key] : null,
    at: options.membersAt?.get(key) ?? at,
  });
  const other = Object.keys(config).find((key) => !GDS_KEYS.includes(key) && !GDS_IGNORED.includes(key));
  if (other !== undefined)
    throw new CypherError(
      'refused',
      `${other.slice(0, 60)} is not supported: use ${GDS_KEYS.join(', ')}`,
      member(other).at,
    );
  const { graph } = searches.context;
  const property = member('relationshipWeightProperty');
  searches.along({
    ...{ out: gdsTypes(member('relationshipTypes')), in: [], otherwise: undefined },
    property: property.value === null ? undefined : textOf(property, 'the name of the weight'),
    propertyAt: property.at,
  });
  const source = nodeIn(member('sourceNode'), graph);
  const [targetNode, targetNodes] = [member('targetNode'), member('targetNodes')];
  const one = targetNode.value === null ? targetNodes : targetNode;
  const targets = isList(targetNodes.value)
    ? targetNodes.value.map((value) => ({ value, at: targetNodes.at }))
    : [one];
  let index = 0;
  return targets.every((target) => {
    const end = nodeIn(target, graph);
    if (source === undefined || end === undefined) return true;
    return searches.between(source, end, 1, ({ nodes, edges, weights }) =>
      take({
        index: index++,
        sourceNode: graph.nodeId(source),
        targetNode: graph.nodeId(end),
        totalCost: toFloat(weights[weights.length - 1]),
        nodeIds: nodes.map((node) => graph.nodeId(node)),
        costs: weights.map(toFloat),
        path: new PathValue(nodes, edges),
      }),
    );
  });
}

/** @returns all types for null */
function gdsTypes({ value, at }: Argument): readonly string[] {
  if (value === null) return ['*'];
  if (!isList(value))
    throw new CypherError('value', `relationshipTypes must be a list of types, not ${typeName(value)}`, at);
  const types = value.map((type) => textOf({ value: type, at }, 'a type'));
  return types.includes('*') ? ['*'] : types;
}

interface Followed {
  /** Types followed forward and backward; `*` stands for all. */
  readonly out: readonly string[];
  readonly in: readonly string[];
  /** Without it, every relationship has the weight 1. */
  readonly property: string | undefined;
  /** Offset of its name in the query. */
  readonly propertyAt: number;
  /** Weight of relationships without the property; if absent, no path follows them. */
  readonly otherwise: number | undefined;
}

/** The searches of one procedure call, which keep their columns from row to row. */
class PathSearches {
  readonly context: RunContext;
  #key = '';
  #graph: WeightedGraph | undefined;
  #first: WeightedSearch | undefined;
  #further: WeightedSearch | undefined;

  constructor(context: RunContext) {
    this.context = context;
  }

  along(followed: Followed): void {
    const key = JSON.stringify(followed);
    if (this.#graph !== undefined && key === this.#key) return;
    this.#first?.release();
    this.#further?.release();
    [this.#first, this.#further] = [undefined, undefined];
    this.#key = key;
    this.#graph = this.#weighted(followed);
  }

  between(start: number, end: number, count: number, take: (path: WeightedPath) => boolean): boolean {
    const graph = this.#graph as WeightedGraph;
    // No path leads from a node to itself.
    if (start === end) return true;
    this.#first ??= new WeightedSearch(graph);
    const path = this.#first.between(start, end, []);
    if (path === undefined) return true;
    if (count === 1) return take(path);
    this.#further ??= new WeightedSearch(graph);
    return easiestPaths(path, count, this.#further, graph, [], take);
  }

  #weighted({ out, in: into, property, propertyAt, otherwise }: Followed): WeightedGraph {
    const { graph, budget } = this.context;
    const ways = (
      [
        ['out', out],
        ['in', into],
      ] as const
    )
      .filter(([, names]) => names.length > 0)
      .map(([way, names]) => ({ graph, budget, way, types: this.#types(names) }));
    return {
      ...{ graph, budget, edgeTest: undefined, innerTest: undefined },
      follow: (node, visit) => ways.every((way) => forEachEdge(way, node, true, visit)),
      weightOf: property === undefined ? () => 1 : weightsBy(graph, property, propertyAt, otherwise),
    };
  }

  #types(names: readonly string[]): FollowedTypes | undefined {
    if (names.includes('*')) return undefined;
    const { graph, budget, warn } = this.context;
    budget.reserve(TYPE_COUNT);
    const allowed = new Uint8Array(TYPE_COUNT);
    for (const name of names) {
      const numbers = graph.types(name);
      if (numbers.length === 0) warn(noType(name, graph));
      for (const number of numbers) allowed[number] = 1;
    }
    return new FollowedTypes(allowed);
  }
}

/** @param text like `MemberOf>|<HasSession|TrustedBy`; a type without a direction is followed both ways */
function directedTypes(text: string): Pick<Followed, 'out' | 'in'> {
  const parts = text.split('|').map((part) => part.trim());
  const named = (ofOther: (part: string) => boolean): string[] =>
    parts
      .filter((part) => !ofOther(part))
      .map(
        (part) =>
          part
            .replace(/^<?\s*:?/, '')
            .replace(/>$/, '')
            .trim() || '*',
      );
  return {
    out: named((part) => part.startsWith('<') && !part.endsWith('>')),
    in: named((part) => part.endsWith('>') && !part.startsWith('<')),
  };
}

function textOf({ value, at }: Argument, what: string): string {
  if (typeof value !== 'string')
    throw new CypherError('value', `${what} must be a string, not ${typeName(value)}`, at);
  return value;
}

function nodeOf({ value, at }: Argument): number {
  if (!(value instanceof NodeValue))
    throw new CypherError('value', `a path needs a node at each end, not ${typeName(value)}`, at);
  return value.node;
}

/** @param argument a node, or its id @returns `undefined` for null, and for an id of no node that the caller may see */
function nodeIn(argument: Argument, graph: PropertyGraph): number | undefined {
  const { value } = argument;
  if (value === null) return undefined;
  return isInteger(value) ? graph.nodeWithId(value) : nodeOf(argument);
}
