import { expect, it } from 'vitest';
import { type Graph, plainEdge, plainNode } from '../../graph/model.ts';
import { stepsAlong, storyPaths } from './storyPaths.ts';

const graphOf = (edges: readonly (readonly [string, string, string?])[]): Graph => ({
  nodes: new Map(
    [...edges.map(([source]) => source), ...edges.map(([, target]) => target)].map(
      (id) => [id, plainNode({ object_id: id, name: id, kind: 'User' })] as const,
    ),
  ),
  edges: edges.map(([source, target, kind = 'MemberOf']) => plainEdge(source, kind, target)),
});
const names = (paths: ReturnType<typeof storyPaths>['paths']) =>
  paths.map((path) => [path[0]!.source, ...path.map(({ target }) => target)].join(' '));

it('lists every path from the starts to the ends, shorter ones first', () => {
  const graph = graphOf([
    ['a', 'b'],
    ['a', 'c'],
    ['b', 'd'],
    ['c', 'x'],
    ['x', 'd'],
    ['d', 'a'],
  ]);
  const { paths, isAll } = storyPaths(graph, ['a'], ['d']);
  expect(names(paths)).toEqual(['a b d', 'a c x d']);
  expect(isAll).toBe(true);
});

it('takes relationships between the same two objects as one step', () => {
  const graph = graphOf([
    ['a', 'b', 'GenericAll'],
    ['a', 'b', 'WriteDacl'],
  ]);
  const [path] = storyPaths(graph, [], []).paths;
  expect(path?.[0]?.edges.map(({ kind }) => kind)).toEqual(['GenericAll', 'WriteDacl']);
  expect(stepsAlong(graph, ['a', 'b'])).toHaveLength(1);
  expect(stepsAlong(graph, ['a', 'gone'])).toBeUndefined();
});

it('says when there are more than it lists, and ends in time', () => {
  const layers = Array.from({ length: 12 }, (_, at) => at);
  const graph = graphOf(
    layers.flatMap((at) =>
      [0, 1, 2].flatMap((from) => [0, 1, 2].map((to) => [`${at} ${from}`, `${at + 1} ${to}`] as const)),
    ),
  );
  const { paths, isAll } = storyPaths(graph, [], []);
  expect([paths.length, isAll]).toEqual([200, false]);
});
