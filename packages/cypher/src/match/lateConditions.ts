/**
 * Conditions on a shortest path that are tested after its search. If they remove all paths between two nodes, a
 * longer path may match, which the search did not look for: the answer then has a warning.
 */
import type { Row } from '../run/context.ts';
import type { Expression } from '../syntax/ast.ts';
import type { Condition, PathElement, RelationshipElement } from './elements.ts';
import { namesIn } from './expressionReads.ts';
import { nodeAt, type Step } from './steps.ts';

export class LateConditions {
  readonly #open: Set<Condition>;
  readonly #warn: (at: number) => void;
  /** The condition that removed a path between the present ends. */
  #failed: Condition | undefined;
  #isPassed = false;
  #ends: readonly (number | undefined)[] = [];

  constructor(conditions: Iterable<Condition>, warn: (at: number) => void) {
    this.#open = new Set(conditions);
    this.#warn = warn;
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** @param step search whose paths between the same ends follow each other */
  search(step: Step, from: number, to: number): Step {
    return (next) => {
      const run = step((row) => {
        const ends = [nodeAt(row, from), nodeAt(row, to)];
        if (ends.some((end, at) => end !== this.#ends[at])) this.#settle(ends);
        return next(row);
      });
      return (row) => {
        this.#settle([]);
        const goesOn = run(row);
        this.#settle([]);
        return goesOn;
      };
    };
  }

  /** @returns the test, whose results are noticed if it is the test of one of these conditions */
  noticed(condition: Condition, passes: (row: Row) => boolean): (row: Row) => boolean {
    if (!this.#open.delete(condition)) return passes;
    const isLast = this.isEmpty;
    return (row) => {
      const isPassed = passes(row);
      if (!isPassed) this.#failed ??= condition;
      else if (isLast) this.#isPassed = true;
      return isPassed;
    };
  }

  #settle(ends: readonly (number | undefined)[]): void {
    if (this.#failed !== undefined && !this.#isPassed) {
      const { expression } = this.#failed;
      this.#warn(expression.span?.[0] ?? expression.at);
    }
    this.#failed = undefined;
    this.#isPassed = false;
    this.#ends = ends;
  }
}

/** @returns the open conditions of the same MATCH on the path that a longer path might pass */
export function lateConditions(
  open: Iterable<Condition>,
  relationship: RelationshipElement,
  path: PathElement | undefined,
): Condition[] {
  const names = [relationship.name, ...(path === undefined ? [] : [path.name])];
  return [...open].filter(
    ({ part, needs, expression }) =>
      part === relationship.part && names.some((name) => needs.has(name)) && !isUpperBound(expression, names),
  );
}

/** Whether it is `length(p) <= 3`: no longer path passes. */
function isUpperBound(expression: Expression, names: readonly string[]): boolean {
  if (expression.type !== 'binary') return false;
  const { operator, left, right } = expression;
  const isLess = operator === '<' || operator === '<=';
  if (!isLess && operator !== '>' && operator !== '>=') return false;
  const [length, bound] = isLess ? [left, right] : [right, left];
  const isLength = length.type === 'call' && (length.name === 'length' || length.name === 'size');
  return isLength && !names.some((name) => namesIn(bound).has(name));
}
