import { endOf, objectIdOf, startOf } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import { describe, expect, test } from 'vitest';
import { inheritanceChains, placesAbove } from './aclInheritance.ts';

const { graph, node, ids } = graphOf({
  nodes: [
    { id: 'DOMAIN', kinds: [NodeKind.Domain] },
    { id: 'A', kinds: [NodeKind.OU] },
    { id: 'B', kinds: [NodeKind.OU] },
    { id: 'CN', kinds: [NodeKind.Container] },
    { id: 'GROUP', kinds: [NodeKind.Group] },
    { id: 'USER', kinds: [NodeKind.User] },
  ],
  edges: [
    ['DOMAIN', EdgeKind.Contains, 'A'],
    ['A', EdgeKind.Contains, 'B'],
    ['B', EdgeKind.Contains, 'USER'],
    // Objects that moved during the collection: two containers, and a cycle.
    ['CN', EdgeKind.Contains, 'USER'],
    ['B', EdgeKind.Contains, 'A'],
    ['GROUP', EdgeKind.Contains, 'USER'],
    ['DOMAIN', EdgeKind.GPLink, 'USER'],
  ],
});

function chains(handingDown: readonly string[], refusing: readonly string[]): string[] {
  return inheritanceChains(graph, node('USER'), 'H', {
    isProtected: (place) => refusing.includes(objectIdOf(graph, place)),
    handsDown: (place, hash) => hash === 'H' && handingDown.includes(objectIdOf(graph, place)),
  }).map((edge) => `${objectIdOf(graph, startOf(graph, edge))}>${objectIdOf(graph, endOf(graph, edge))}`);
}

describe('chains of inheritance', () => {
  test.each([
    [['DOMAIN'], [], ['A>B', 'B>USER', 'DOMAIN>A']],
    [['DOMAIN'], ['DOMAIN'], ['A>B', 'B>USER', 'DOMAIN>A']],
    [['DOMAIN'], ['B'], []],
    [['DOMAIN'], ['A'], []],
    [['DOMAIN', 'B'], ['A'], ['B>USER']],
    [['DOMAIN', 'B', 'CN'], ['USER'], []],
    [['A', 'CN'], [], ['A>B', 'B>USER', 'CN>USER']],
    [['GROUP'], [], []],
    [[], [], []],
  ])('from %j if %j inherit nothing', (handingDown, refusing, expected) => {
    expect(chains(handingDown, refusing)).toEqual(expected);
  });

  test('can only come from ancestors', () => {
    expect(ids(placesAbove(graph, node('USER'))).sort()).toEqual(['A', 'B', 'CN', 'DOMAIN', 'USER']);
  });
});
