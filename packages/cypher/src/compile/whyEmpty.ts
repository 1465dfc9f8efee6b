/**
 * Explains an empty answer: finds the condition or the part of a pattern that removed all rows, from the row
 * counts of the plan.
 */
import { CypherError } from '../cypherError.ts';
import { NO_LABEL } from '../match/anchors.ts';
import type { PlanLine, Stage } from '../match/planLine.ts';
import { Budget, DEFAULT_LIMITS } from '../run/budget.ts';
import type { ConditionCount } from '../run/conditionCount.ts';
import type { Row, RunContext } from '../run/context.ts';
import type { Expression } from '../syntax/ast.ts';
import { truth } from '../values/operators.ts';
import { NodeValue } from '../values/values.ts';
import { ExpressionCompiler, type NestedCompiler } from './expressionCompiler.ts';
import { similarLookup } from './similarLookups.ts';

/** Limit on the cost of a hint. */
const MAX_STEPS = 5_000_000;
/** Maximum number of characters shown of a condition. */
const MAX_TEXT = 120;
const CHANGES_NOTHING = /^(?:once|with)$/;

/**
 * @param query text of the query
 * @param stages steps of one part of a UNION, in order, without optional ones
 * @returns `undefined` if every step produced rows
 */
export function whyEmpty(query: string, stages: readonly Stage[], context: RunContext): string | undefined {
  const at = stages.findIndex(({ line }) => line.rows === 0);
  if (at < 0) return undefined;
  const { line, conditions, hasLabels } = stages[at];
  const before = stages.slice(0, at).findLast((stage) => !CHANGES_NOTHING.test(stage.line.step));
  const tested = conditions.filter((condition) => condition.tested > 0);
  const last = tested.at(-1);
  if (last === undefined || last.passed > 0) {
    const reason = withoutCondition(line, before?.line);
    const hint = line.step === 'begin' ? lookupHint(conditions, hasLabels, context) : undefined;
    return reason === undefined || hint === undefined ? reason : `${reason}; ${hint}`;
  }
  const [{ tested: first }] = tested;
  const of =
    line.step === 'begin'
      ? `${first} ${line.detail.split(' ')[0]}`
      : line.step === 'filter'
        ? rows(first)
        : `${first === 1 ? '1 node' : `${first} nodes`} at the end of ${line.detail}`;
  const chain = tested.map(
    ({ expression, passed }, index) =>
      `${passed}${index === 0 ? (passed === 1 ? ' is left' : ' are left') : ''} after \`${textOf(expression, query)}\``,
  );
  const hint = hintOf(last, context);
  return `of ${of}, ${chain.join(', ')}${hint === undefined ? '' : `; ${hint}`}`;
}

function withoutCondition({ step, detail }: PlanLine, before: PlanLine | undefined): string | undefined {
  if (detail.endsWith(NO_LABEL)) return undefined;
  const from = before === undefined ? '' : `, from ${rows(before.rows)}`;
  if (step === 'begin') return `no node found: ${detail}`;
  if (step === 'unwind') return `UNWIND produces no rows${from}`;
  if (step === 'test') return `no node matches ${detail}${from}`;
  return `nothing found along ${detail}${from}`;
}

const rows = (count: number): string => (count === 1 ? '1 row' : `${count} rows`);

/** @returns the text of the expression in the query */
export function textOf(expression: Expression, query: string): string {
  const written = ({ span, at }: Expression): string => query.slice(...(span ?? [at, at + MAX_TEXT]));
  let text = written(expression);
  // A property within a pattern: `{name: 'x'}`.
  if (expression.span === undefined && expression.type === 'binary' && expression.left.type === 'property')
    text = `${expression.left.key}: ${written(expression.right)}`;
  text = text.replaceAll(/\s+/g, ' ').trim();
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

/** @returns a hint at nodes that the lookup of a first step missed */
function lookupHint(
  conditions: readonly ConditionCount[],
  hasLabels: (node: number) => boolean = () => true,
  context: RunContext,
): string | undefined {
  const { compiler, budget } = hintCompiler(context);
  try {
    for (const { expression, scope } of conditions) {
      const hint = similarLookup(expression, scope, compiler, hasLabels, { graph: context.graph, budget });
      if (hint !== undefined) return hint;
    }
  } catch (error) {
    if (!(error instanceof CypherError)) throw error;
  }
  return undefined;
}

/** Compiles expressions of hints, with an own limit. */
function hintCompiler(context: RunContext): {
  readonly compiler: ExpressionCompiler;
  readonly budget: Budget;
} {
  const budget = new Budget({ ...DEFAULT_LIMITS, steps: MAX_STEPS }, () => {});
  return { budget, compiler: new ExpressionCompiler({ ...context, budget, warn: () => {} }, NO_PATTERNS) };
}

/** @returns a hint at values that would match, for conditions on a single node */
function hintOf(
  { expression, scope, slot, failed }: ConditionCount,
  context: RunContext,
): string | undefined {
  if (slot === undefined || failed.length === 0) return undefined;
  const { compiler, budget } = hintCompiler(context);
  /** @returns the number of matches; 0 for a form that cannot be evaluated, or takes too long */
  const fitting = (changed: Expression): number => {
    try {
      return fittingNodes(changed).length;
    } catch (error) {
      if (error instanceof CypherError) return 0;
      throw error;
    }
  };
  const fittingNodes = (changed: Expression): readonly number[] => {
    const evaluate = compiler.compile(changed, scope);
    const row: Row = [];
    return failed.filter((node) => {
      row[slot] = new NodeValue(node);
      return truth(evaluate(row), 'WHERE', changed.at) === true;
    });
  };
  for (const [changed, how] of changedForms(expression)) {
    const count = fitting(changed);
    if (count > 0) return `${count} would match ${how}`;
  }
  const without = propertiesIn(expression).filter((of) => {
    const isThere: Expression = { type: 'isNull', at: of.at, of, negated: true };
    return budget.steps < MAX_STEPS && fitting(isThere) === 0;
  });
  if (without.length === 0) return undefined;
  return `none of them has the property ${without.map(({ key }) => key).join(', ')}`;
}

/** Patterns are not evaluated for hints. */
const NO_PATTERNS: NestedCompiler = {
  pattern: refuse,
  patternComprehension: refuse,
  subquery: refuse,
};
function refuse(): never {
  throw new CypherError('refused', 'a hint has no pattern in it');
}

/** Yields conditions that users often mean instead. */
function* changedForms(expression: Expression): Generator<readonly [Expression, string]> {
  if (expression.type !== 'binary') return;
  const { operator, left, right, at } = expression;
  const isText = right.type === 'literal' && typeof right.value === 'string';
  if (operator === '=~' && isText) {
    const search = (pattern: string): Expression => ({
      ...expression,
      right: { type: 'literal', at, value: `(?s).*(?:${pattern}).*` },
    });
    yield [search(right.value as string), 'as a search'];
    yield [search(`(?i)${right.value}`), 'as a search in any case'];
  }
  if (operator === '=' || operator === 'CONTAINS' || operator === 'STARTS WITH' || operator === 'ENDS WITH') {
    if (!isText) return;
    const lower = (of: Expression): Expression => ({
      ...{ type: 'call', at, name: 'tolower', distinct: false },
      args: [of],
    });
    yield [{ ...expression, left: lower(left), right: lower(right) }, 'in another case'];
    if (operator === '=' && (right.value === 'true' || right.value === 'false'))
      yield [
        { ...expression, right: { type: 'literal', at, value: right.value === 'true' } },
        'without quotes',
      ];
  }
}

type Property = Extract<Expression, { type: 'property' }>;

function propertiesIn(part: unknown, found: Property[] = []): Property[] {
  if (Array.isArray(part)) for (const item of part) propertiesIn(item, found);
  else if (typeof part === 'object' && part !== null) {
    const { type, of } = part as { type?: string; of?: { type?: string } };
    if (type === 'property' && of?.type === 'variable') found.push(part as Property);
    for (const value of Object.values(part)) if (typeof value === 'object') propertiesIn(value, found);
  }
  return found;
}
