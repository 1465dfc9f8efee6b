/**
 * Moves `all(n IN nodes(p) WHERE ...)` and `none(...)` conditions on a shortest path into the search, which then
 * avoids the excluded nodes.
 */
import type { Scope } from '../bind/scope.ts';
import type { ExpressionCompiler } from '../compile/expressionCompiler.ts';
import { truth } from '../values/operators.ts';
import { NodeValue, RelationshipValue } from '../values/values.ts';
import type { Condition, PathElement, RelationshipElement } from './elements.ts';
import { namesIn } from './expressionReads.ts';
import type { EdgeTest, NodeTest } from './steps.ts';

export interface InnerTests {
  readonly nodeTest?: NodeTest;
  readonly edgeTest?: EdgeTest;
  /** Whether they do not depend on the row. */
  readonly isFixed: boolean;
}

/** @param open untested conditions; removes the conditions that the search tests */
export function takeInnerTests(
  open: Set<Condition>,
  relationship: RelationshipElement,
  path: PathElement | undefined,
  compiler: ExpressionCompiler,
  outer: Scope,
): InnerTests {
  let nodeTest: NodeTest | undefined;
  let edgeTest: EdgeTest | undefined;
  let isFixed = true;
  for (const condition of open) {
    if (condition.part !== relationship.part) continue;
    const inner = innerTest(condition, relationship, path, compiler, outer);
    if (inner === undefined) continue;
    open.delete(condition);
    isFixed &&= condition.isFixed;
    if (inner.of === 'nodes') nodeTest = both(nodeTest, inner.test);
    else edgeTest = both(edgeTest, inner.test);
  }
  return { isFixed, ...(nodeTest && { nodeTest }), ...(edgeTest && { edgeTest }) };
}

interface InnerTest {
  readonly of: 'nodes' | 'relationships';
  readonly test: EdgeTest & NodeTest;
}

function innerTest(
  { expression, needs }: Condition,
  relationship: RelationshipElement,
  path: PathElement | undefined,
  compiler: ExpressionCompiler,
  outer: Scope,
): InnerTest | undefined {
  if (
    expression.type !== 'quantifier' ||
    (expression.quantifier !== 'all' && expression.quantifier !== 'none')
  )
    return undefined;
  const { list, variable, where, quantifier } = expression;
  const isOwn =
    needs.size === 1 && [...needs].every((name) => name === path?.name || name === relationship.name);
  if (!isOwn || namesIn(where).has(path?.name ?? '')) return undefined;
  const isList = list.type === 'variable' && list.name === relationship.name;
  const isCall =
    list.type === 'call' && list.args[0]?.type === 'variable' && list.args[0].name === path?.name;
  if (!isList && !isCall) return undefined;
  const of = isCall && list.name === 'nodes' ? 'nodes' : 'relationships';
  if (isCall && !['nodes', 'relationships', 'rels'].includes(list.name)) return undefined;
  const { scope, variable: item } = outer.with(variable, of === 'nodes' ? 'node' : 'relationship');
  const evaluate = compiler.compile(where, scope);
  const wanted = quantifier === 'all';
  return {
    of,
    test: (number, row) => {
      row[item.slot] = of === 'nodes' ? new NodeValue(number) : new RelationshipValue(number);
      return truth(evaluate(row), quantifier) === wanted;
    },
  };
}

export function both<Test extends EdgeTest | NodeTest>(
  a: Test | undefined,
  b: Test | undefined,
): Test | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return ((number, row) => a(number, row) && b(number, row)) as Test;
}
