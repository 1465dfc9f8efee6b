/**
 * Moves `all(n IN nodes(p) WHERE ...)`, `none(...)` and equivalent conditions on a shortest path into the search,
 * which then avoids the excluded nodes and relationships.
 */
import type { Scope } from '../bind/scope.ts';
import type { ExpressionCompiler } from '../compile/expressionCompiler.ts';
import { truth } from '../values/operators.ts';
import { NodeValue, RelationshipValue } from '../values/values.ts';
import type { Condition, PathElement, RelationshipElement } from './elements.ts';
import { namesIn } from './expressionReads.ts';
import { type Quantifier, quantifiersOf } from './pathQuantifiers.ts';
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
    const inner = innerTests(condition, relationship, path, compiler, outer);
    if (inner === undefined) continue;
    open.delete(condition);
    isFixed &&= condition.isFixed;
    for (const { of, test } of inner)
      if (of === 'nodes') nodeTest = both(nodeTest, test);
      else edgeTest = both(edgeTest, test);
  }
  return { isFixed, ...(nodeTest && { nodeTest }), ...(edgeTest && { edgeTest }) };
}

interface InnerTest {
  readonly of: 'nodes' | 'relationships';
  readonly test: EdgeTest & NodeTest;
}

/** @returns tests that all pass exactly if the condition is true; `undefined` if the search cannot test it */
function innerTests(
  { expression, needs }: Condition,
  relationship: RelationshipElement,
  path: PathElement | undefined,
  compiler: ExpressionCompiler,
  outer: Scope,
): readonly InnerTest[] | undefined {
  const quantifiers = quantifiersOf(expression);
  if (quantifiers === undefined) return undefined;
  const tests: InnerTest[] = [];
  for (const quantifier of quantifiers) {
    const test = innerTest(quantifier, needs, relationship, path, compiler, outer);
    if (test === undefined) return undefined;
    tests.push(test);
  }
  return tests;
}

/** @param needs names of elements that the condition may read */
function innerTest(
  { list, variable, where, quantifier }: Quantifier,
  needs: ReadonlySet<string>,
  relationship: RelationshipElement,
  path: PathElement | undefined,
  compiler: ExpressionCompiler,
  outer: Scope,
): InnerTest | undefined {
  if (quantifier !== 'all' && quantifier !== 'none') return undefined;
  const isRead = (name: string): boolean =>
    namesIn(list).has(name) || (name !== variable && namesIn(where).has(name));
  const own = [path?.name, relationship.name];
  const isOwn = [...needs].every((name) => own.includes(name) || !isRead(name));
  if (!isOwn || own.some((name = '') => name !== variable && namesIn(where).has(name))) return undefined;
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
      return truth(evaluate(row), quantifier, where.at) === wanted;
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
