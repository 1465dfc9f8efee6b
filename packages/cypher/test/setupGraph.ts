/** Makes a graph by CREATE clauses, as the scenarios of openCypher describe theirs. */

import { Frame, Scope } from '../src/bind/scope.ts';
import { ExpressionCompiler } from '../src/compile/expressionCompiler.ts';
import { runClauses } from '../src/compile/queryCompiler.ts';
import type { PropertyGraph } from '../src/graph/propertyGraph.ts';
import { Budget, DEFAULT_LIMITS } from '../src/run/budget.ts';
import type { RunContext } from '../src/run/context.ts';
import type { Expression, PathPattern } from '../src/syntax/ast.ts';
import { parseSetup } from '../src/syntax/parser.ts';
import { TemporalInstant } from '../src/values/temporal/instant.ts';
import { NodeValue, type Value, type ValueMap } from '../src/values/values.ts';
import { type MemoryEdge, type MemoryNode, memoryGraph } from './memoryGraph.ts';

type NamedRow = Record<string, Value>;

export function setupGraph(statements: readonly string[], parameters: ValueMap = {}): PropertyGraph {
  const setup = new Setup(parameters);
  for (const statement of statements) setup.run(statement);
  return setup.graph;
}

class Setup {
  readonly #nodes: MemoryNode[] = [];
  readonly #edges: MemoryEdge[] = [];
  readonly #parameters: ValueMap;

  constructor(parameters: ValueMap) {
    this.#parameters = parameters;
  }

  get graph(): PropertyGraph {
    return memoryGraph(this.#nodes, this.#edges);
  }

  run(statement: string): void {
    let rows: NamedRow[] = [{}];
    for (const clause of parseSetup(statement)) {
      if (clause.type === 'create')
        for (const row of rows) for (const pattern of clause.patterns) this.#create(pattern, row);
      else
        rows = runClauses([clause], { columns: Object.keys(rows[0] ?? {}), rows }, this.#context()).rows.map(
          (row) => ({ ...row }),
        );
    }
  }

  #context(): RunContext {
    return {
      graph: this.graph,
      parameters: this.#parameters,
      budget: new Budget(DEFAULT_LIMITS, () => {}),
      now: TemporalInstant.ofEpoch(0),
      warn: () => {},
    };
  }

  #create({ nodes, relationships }: PathPattern, row: NamedRow): void {
    const numbers = nodes.map(({ variable, labels, properties }) => {
      const known = variable === undefined ? undefined : row[variable];
      if (known instanceof NodeValue) return known.node;
      const node =
        this.#nodes.push({ labels: labels.flat(), properties: this.#properties(properties, row) }) - 1;
      if (variable !== undefined) row[variable] = new NodeValue(node);
      return node;
    });
    relationships.forEach(({ types, properties, direction }, at) => {
      const [start, end] =
        direction === 'left' ? [numbers[at + 1], numbers[at]] : [numbers[at], numbers[at + 1]];
      this.#edges.push({ start, end, type: types[0], properties: this.#properties(properties, row) });
    });
  }

  #properties(expression: Expression | undefined, row: NamedRow): ValueMap {
    if (expression === undefined) return {};
    let scope = new Scope(new Frame());
    const values = Object.entries(row).map(([name, value]) => {
      ({ scope } = scope.with(name, 'value'));
      return value;
    });
    const refuse = (): never => {
      throw new Error('no patterns here');
    };
    const nested = { pattern: refuse, patternComprehension: refuse, subquery: refuse };
    const map = new ExpressionCompiler(this.#context(), nested).compile(
      expression,
      scope,
    )(values) as ValueMap;
    return Object.fromEntries(Object.entries(map).filter(([, value]) => value !== null));
  }
}
