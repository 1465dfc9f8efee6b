/**
 * Conditions of a match that are not tested yet. Each is tested at the first step after which all values that
 * it reads are known.
 */
import type { Scope } from '../bind/scope.ts';
import type { ExpressionCompiler } from '../compile/expressionCompiler.ts';
import { type ConditionCount, conditionCount, countedCondition } from '../run/conditionCount.ts';
import type { Row, RunContext } from '../run/context.ts';
import type { Expression } from '../syntax/ast.ts';
import { equals } from '../values/compare.ts';
import { truth } from '../values/operators.ts';
import { NodeValue, type RelationshipValue, type Value } from '../values/values.ts';
import type { Condition, Elements, NodeElement } from './elements.ts';
import { namesIn } from './expressionReads.ts';
import type { NodeTest } from './steps.ts';

export class OpenConditions {
  readonly open: Set<Condition>;
  readonly #scope: Scope;
  readonly #compiler: ExpressionCompiler;
  readonly #context: RunContext;
  readonly #isCounted: boolean;
  /** Counts of conditions that belong to the next step. */
  readonly #counts: ConditionCount[] = [];

  /** @param isCounted whether to count rows that pass, to explain an empty answer */
  constructor(
    { conditions, scope }: Elements,
    compiler: ExpressionCompiler,
    context: RunContext,
    isCounted: boolean,
  ) {
    this.open = new Set(conditions);
    this.#scope = scope;
    this.#compiler = compiler;
    this.#context = context;
    this.#isCounted = isCounted;
  }

  /** @returns the counts of the step that is being added */
  takeCounts(): readonly ConditionCount[] {
    return this.#counts.splice(0);
  }

  /** Creates a test that is counted for the next step. */
  test(expression: Expression): (row: Row) => boolean {
    const passes = this.#uncounted(expression);
    if (!this.#isCounted) return passes;
    const scope = this.#scope;
    const variables = [...namesIn(expression)].flatMap((name) => scope.find(name) ?? []);
    const count = conditionCount(expression, scope, variables.length === 1 ? variables[0].slot : undefined);
    this.#counts.push(count);
    return countedCondition(passes, count);
  }

  #uncounted(expression: Expression): (row: Row) => boolean {
    if (expression.type === 'call' && expression.name === ' fits')
      return this.#fits(expression.args[0], expression.args[1]);
    const evaluate = this.#compiler.compileCondition(expression, this.#scope);
    return (row) => truth(evaluate(row), 'WHERE', expression.at) === true;
  }

  /** Tests `(n $properties)`. */
  #fits(variable: Expression, properties: Expression): (row: Row) => boolean {
    const wanted = this.#compiler.compile(properties, this.#scope);
    const entity = this.#compiler.compile(variable, this.#scope);
    const { graph, budget } = this.#context;
    return (row) => {
      const value = entity(row);
      return Object.entries((wanted(row) ?? {}) as Record<string, Value>).every(([key, one]) => {
        const has =
          value instanceof NodeValue
            ? graph.nodeProperty(value.node, key)
            : graph.edgeProperty((value as RelationshipValue).edge, key);
        return equals(has, one, budget) === true;
      });
    };
  }

  /** @returns open conditions that read only the node */
  of({ name }: NodeElement): Condition[] {
    return [...this.open].filter(({ needs, isFixed }) => isFixed && needs.size === 1 && needs.has(name));
  }

  /** Removes the open conditions that read only the node. @returns their tests */
  takeOf(node: NodeElement): ((row: Row) => boolean)[] {
    return this.of(node).map((condition) => {
      this.open.delete(condition);
      return this.test(condition.expression);
    });
  }

  /** Combines a test with the conditions on the node, so only matching nodes are searched for a path. */
  within(test: NodeTest, node: NodeElement): NodeTest {
    const tests = this.takeOf(node);
    if (tests.length === 0) return test;
    return (found, row) => {
      if (!test(found, row)) return false;
      row[node.slot] = new NodeValue(found);
      return tests.every((passes) => passes(row));
    };
  }
}
