/** Test cases of `docs/rules.md#worked-cases`. */
import type { RelatedListKey } from '@clew/api';
import { noMarks, setMark } from '@clew/generation';
import { graphOf } from '@clew/graph/testing';
import type { EdgeKindName, NodeKindName, RulesMode } from '@clew/model';
import { EdgeFlag, EdgeKind, NodeKind } from '@clew/model';
import { describe, expect, test } from 'vitest';
import { generationOf } from '../../test/generations.ts';
import { unmetered } from '../meter.ts';
import { queryDataOf } from '../queryData.ts';
import { relationOf } from './quirks.ts';
import { evaluateRelation } from './walk.ts';

type Edge = readonly [start: string, kind: EdgeKindName, end: string, flags?: number];

function world(
  nodes: Record<string, NodeKindName>,
  edges: readonly Edge[],
  blocking: readonly string[] = [],
) {
  const { graph, node, ids } = graphOf({
    nodes: Object.entries(nodes).map(([id, kind]) => ({ id, kinds: [NodeKind.Base, NodeKind[kind]] })),
    edges: edges.map(([start, kind, end, flags]) => [start, EdgeKind[kind], end, flags]),
  });
  const marks = noMarks(graph.nodeCount);
  for (const id of blocking) setMark(marks, 'blocksInheritance', node(id));
  const data = queryDataOf(generationOf(graph, { marks }));
  return (key: RelatedListKey, id: string, rules: RulesMode = 'clean'): string[] =>
    ids(evaluateRelation(data, relationOf(key, rules), node(id), unmetered));
}

describe('group policy lists', () => {
  const list = world(
    {
      DOMAIN: 'Domain',
      'GPO-E': 'GPO',
      'GPO-N': 'GPO',
      'OU-A': 'OU',
      'OU-B': 'OU',
      'OU-C': 'OU',
      'OU-D': 'OU',
      CN: 'Container',
      'USER-A': 'User',
      'USER-B': 'User',
      'USER-C': 'User',
      'USER-D': 'User',
      'USER-CN': 'User',
    },
    [
      ['GPO-E', 'GPLink', 'DOMAIN', EdgeFlag.Enforced],
      ['GPO-N', 'GPLink', 'DOMAIN'],
      ['DOMAIN', 'Contains', 'OU-A'],
      ['DOMAIN', 'Contains', 'OU-B'],
      ['DOMAIN', 'Contains', 'CN'],
      ['OU-A', 'Contains', 'OU-C'],
      ['OU-A', 'Contains', 'USER-A'],
      ['OU-C', 'Contains', 'USER-C'],
      ['OU-B', 'Contains', 'OU-D'],
      ['OU-B', 'Contains', 'USER-B'],
      ['OU-D', 'Contains', 'USER-D'],
      ['CN', 'Contains', 'USER-CN'],
    ],
    ['OU-A', 'OU-D'],
  );
  const both = ['GPO-E', 'GPO-N'];

  const enforced = ['GPO-E'];

  test.each([
    ['users/gpos', 'USER-A', enforced, both],
    ['users/gpos', 'USER-B', both, both],
    ['users/gpos', 'USER-C', enforced, enforced],
    ['users/gpos', 'USER-D', enforced, both],
    ['ous/gpos', 'OU-A', enforced, both],
    ['ous/gpos', 'OU-C', enforced, enforced],
    ['ous/gpos', 'OU-D', enforced, both],
    ['domains/linked-gpos', 'DOMAIN', both, both],
    [
      'gpos/ous',
      'GPO-E',
      ['DOMAIN', 'OU-A', 'OU-B', 'OU-C', 'OU-D'],
      ['DOMAIN', 'OU-A', 'OU-B', 'OU-C', 'OU-D'],
    ],
    ['gpos/ous', 'GPO-N', ['DOMAIN', 'OU-B'], ['DOMAIN', 'OU-A', 'OU-B', 'OU-D']],
    [
      ...['gpos/users', 'GPO-E'],
      ...[
        ['USER-A', 'USER-B', 'USER-C', 'USER-CN', 'USER-D'],
        ['USER-A', 'USER-B', 'USER-C', 'USER-CN', 'USER-D'],
      ],
    ],
    ['gpos/users', 'GPO-N', ['USER-B', 'USER-CN'], ['USER-A', 'USER-B', 'USER-CN', 'USER-D']],
  ] as unknown as [Parameters<typeof list>[0], string, string[], string[]][])(
    '%s of %s',
    (key, id, expected, original) => {
      expect(list(key, id)).toEqual(expected);
      expect(list(key, id, 'parity')).toEqual(original);
    },
  );

  test('reach objects in containers, unlike the original', () => {
    expect(list('users/gpos', 'USER-CN')).toEqual(both);
    expect(list('users/gpos', 'USER-CN', 'parity')).toEqual([]);
  });
});

describe('entity queries', () => {
  test('controllers are the holders and all their members', () => {
    const list = world({ X: 'OU', G1: 'Group', G2: 'Group', U1: 'User', U2: 'User' }, [
      ['G1', 'GenericAll', 'X'],
      ['U1', 'MemberOf', 'G1'],
      ['G2', 'MemberOf', 'G1'],
      ['U2', 'MemberOf', 'G2'],
    ]);
    expect(list('base/controllers', 'X')).toEqual(['G1', 'G2', 'U1', 'U2']);
  });

  test('controllables do not continue from controlled objects', () => {
    const list = world({ U1: 'User', G1: 'Group', Y: 'Group', Z: 'Group' }, [
      ['U1', 'MemberOf', 'G1'],
      ['G1', 'GenericAll', 'Y'],
      ['Y', 'GenericAll', 'Z'],
    ]);
    expect(list('users/controllables', 'U1')).toEqual(['Y']);
  });

  test('admin users are the final accounts, and groups without known members', () => {
    const list = world({ C: 'Computer', G1: 'Group', G2: 'Group', U1: 'User' }, [
      ['G1', 'AdminTo', 'C'],
      ['U1', 'MemberOf', 'G1'],
      ['G2', 'AdminTo', 'C'],
    ]);
    expect(list('computers/admin-users', 'C')).toEqual(['G2', 'U1']);
  });

  test('admin rights do not continue from a computer', () => {
    const list = world({ U1: 'User', C1: 'Computer', C2: 'Computer' }, [
      ['U1', 'AdminTo', 'C1'],
      ['C1', 'AdminTo', 'C2'],
    ]);
    expect(list('users/admin-rights', 'U1')).toEqual(['C1']);
    expect(list('computers/admin-rights', 'C1')).toEqual(['C2']);
  });

  test('members are counted once, also nested groups and cycles', () => {
    const list = world({ G1: 'Group', G2: 'Group', U1: 'User', U2: 'User' }, [
      ['G2', 'MemberOf', 'G1'],
      ['U1', 'MemberOf', 'G2'],
      ['U2', 'MemberOf', 'G1'],
      ['G1', 'MemberOf', 'G2'],
    ]);
    expect(list('groups/members', 'G1')).toEqual(['G2', 'U1', 'U2']);
  });

  test('delegation targets are listed along the chain; the original only shows its end', () => {
    const list = world({ A: 'Computer', B: 'Computer', C: 'Computer' }, [
      ['A', 'AllowedToDelegate', 'B'],
      ['B', 'AllowedToDelegate', 'C'],
    ]);
    expect(list('computers/constrained-delegation-rights', 'A')).toEqual(['B', 'C']);
    expect(list('computers/constrained-delegation-rights', 'A', 'parity')).toEqual(['C']);
    expect(list('computers/constrained-users', 'C', 'parity')).toEqual(['A']);
  });
});
