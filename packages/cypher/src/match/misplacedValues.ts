/** Adds a position to errors of patterns with a variable that has a value of the wrong type. */
import { placed } from '../compile/placedErrors.ts';
import type { Row } from '../run/context.ts';
import { NodeValue, RelationshipValue, type Value } from '../values/values.ts';
import type { Elements } from './elements.ts';

const isNode = (value: Value): boolean => value === null || value instanceof NodeValue;
const isRelationship = (value: Value): boolean => value === null || value instanceof RelationshipValue;

/** @param row at the time of the error @returns the error with a position, which errors of other parts of the query have already */
export function placedInPattern(error: unknown, { nodes, relationships }: Elements, row: Row): unknown {
  const misplaced =
    nodes.find(({ isGiven, slot }) => isGiven && !isNode(row[slot])) ??
    relationships.find(
      ({ isGiven, slot, pattern }) => isGiven && pattern.length === undefined && !isRelationship(row[slot]),
    )?.pattern;
  const { at } = misplaced ?? nodes[0];
  return placed(error, at);
}
