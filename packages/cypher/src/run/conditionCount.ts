/**
 * Counts how often a condition was tested and how often it was true, so that an empty answer can name the
 * condition that removed all rows.
 */
import type { Scope } from '../bind/scope.ts';
import type { Expression } from '../syntax/ast.ts';
import { NodeValue } from '../values/values.ts';
import type { Row } from './context.ts';

/** Maximum number of failed nodes to keep, for hints at values that would match. */
const MAX_FAILED = 20_000;

export interface ConditionCount {
  readonly expression: Expression;
  readonly scope: Scope;
  /** Slot of the node, for a condition that reads a single one. */
  readonly slot: number | undefined;
  tested: number;
  passed: number;
  /** The first nodes that failed, as long as none has passed. */
  readonly failed: number[];
}

export function conditionCount(
  expression: Expression,
  scope: Scope,
  slot: number | undefined,
): ConditionCount {
  return { expression, scope, slot, tested: 0, passed: 0, failed: [] };
}

export function countedCondition(
  passes: (row: Row) => boolean,
  count: ConditionCount,
): (row: Row) => boolean {
  const { slot, failed } = count;
  return (row) => {
    count.tested++;
    const isPassed = passes(row);
    if (isPassed) count.passed++;
    else if (count.passed === 0 && slot !== undefined && failed.length < MAX_FAILED) {
      const value = row[slot];
      if (value instanceof NodeValue) failed.push(value.node);
    }
    return isPassed;
  };
}
