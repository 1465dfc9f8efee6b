import { CypherError, NodeValue, PathValue } from '@clew/cypher';
import { memoryGraph } from '@clew/cypher/testing';
import { expect, test } from 'vitest';
import { AnswerBuilder } from './answer.ts';

const graph = memoryGraph([{ labels: [], properties: {} }], []);
const MAX = 100;
const parts = (count: number) => new Array(count).fill([new NodeValue(0), new PathValue([0], [])]).flat();

test('a typed answer counts the graph parts of a list one by one', () => {
  const add = (count: number, isTyped: boolean) => (): void =>
    new AnswerBuilder(graph, MAX, true, isTyped).add([parts(count)]);
  expect(add(40, true)).not.toThrow();
  expect(add(50, true)).toThrow(CypherError);
  expect(add(50, false)).not.toThrow();
});

test('a typed answer counts a graph part outside of lists once', () => {
  const answer = new AnswerBuilder(graph, MAX, true, true);
  for (let row = 0; row < MAX / 2; row++) answer.add(parts(1));
  expect(() => answer.add([null])).toThrow(CypherError);
});
