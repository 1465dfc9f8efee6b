/** The end of a plan: remaining one-action paths are closed regardless of the goal, and the remaining principals are named. */

import { AnalysisContext, analyze, RULES } from '@clew/analysis';
import { inputOf, Pki } from '@clew/analysis/testing';
import { EdgeList, NodeSet, objectIdOf, withEdges } from '@clew/graph';
import { describe, expect, it } from 'vitest';
import { wholePlan } from '../plan.ts';
import { type AnalyzedWorld, worldOf } from '../simulation/simulate.ts';

const SID = 'S-1-5-21-1';
const USERS = Array.from({ length: 100 }, (_, at) => `u${at}`);

/** A hundred users, few of whom have the rights. */
const directory = (...facts: string[]): AnalyzedWorld => directoryOf(USERS, facts);

function directoryOf(users: readonly string[], facts: readonly string[]): AnalyzedWorld {
  const pki = new Pki().set('T', { enrolleesuppliessubject: true }).controller('K', 'D', {});
  pki.fixed('AU', 'EV', 'DU', 'DC');
  for (const name of [...users, 'adm']) pki.add(name, 'User', { domainsid: SID, enabled: true });
  pki.add('G', 'Group', { domainsid: SID }).add('PC', 'Computer', { domainsid: SID, enabled: true });
  const test = pki.facts(...users.map((name) => `${name} in DU`), 'AU en C', ...facts).build();
  const input = inputOf(test);
  const { edges } = analyze(new AnalysisContext(input), RULES);
  const list = new EdgeList();
  list.appendChunk(edges);
  const context = new AnalysisContext({ ...input, graph: withEdges(test.graph, list) });
  const members = NodeSet.of(test.graph.nodeCount, [SID, 'K', 'H', 'adm'].map(test.node));
  const zone = { id: 1, position: 1, analyzed: true, members, pending: NodeSet.empty(test.graph.nodeCount) };
  return worldOf(context, { zonesOf: () => [zone], now: 1_767_225_600 });
}

const planned = (world: AnalyzedWorld, goal = 0.1) => {
  const plan = wholePlan(world, { zone: 1, goal });
  const name = (node: number): string => objectIdOf(world.context.graph, node);
  return {
    end: plan?.end,
    changes: (plan?.cards ?? []).map(({ packages }) =>
      packages.flatMap(({ repairs }) => repairs.map(({ id }) => id)),
    ),
    left: plan?.left?.holders.map(({ holder, cut, environment: _, ...more }) => ({
      ...more,
      holder: name(holder),
      cut: cut && [cut.cost, ...cut.repairs.map(({ id }) => id)],
    })),
    exposed: plan?.left?.exposed,
    oneAction: plan?.left?.oneAction,
  };
};

describe('the end of a plan', () => {
  it('closes what takes a few principals one action, although the goal is met', () => {
    const world = directory('u0 in G', 'u1 in G', 'u2 in G', 'G en T', 'u9 GenericAll D');
    const { end, changes, left, exposed } = planned(world);
    expect(end).toBe('goal');
    expect(changes).toHaveLength(2);
    expect(changes.flat()).toContain(`remove-permission u9 GenericAll ${SID}`);
    expect([exposed, left]).toEqual([0, []]);
  });

  it('closes the template of 48 principals and the one account that replicates, 4.9 % of a thousand, below a goal of 5 %', () => {
    // 998 users, the computer, and the account below the goal form the thousand principals that count.
    const users = Array.from({ length: 998 }, (_, at) => `u${at}`);
    const enrolled = users.slice(0, 48).map((name) => `${name} in G`);
    const world = directoryOf(users, [...enrolled, 'G en T', 'u900 GetChanges D', 'u900 GetChangesAll D']);
    const { end, changes, left, exposed, oneAction } = planned(world, 0.05);
    expect([end, changes.length, left, exposed, oneAction]).toEqual(['goal', 2, [], 0, 0]);
  });

  it('leaves what takes several actions, and names who it is, with the cheapest cut', () => {
    const world = directory('u0 in G', 'u1 in G', 'G GenericAll u5', 'u5 WriteDacl adm');
    expect(planned(world)).toEqual({
      ...{ end: 'goal', changes: [], exposed: 3, oneAction: 0 },
      left: [
        {
          holder: 'u5',
          principals: 1,
          actions: 1,
          effort: 2,
          cut: [1, 'remove-permission u5 WriteDacl adm'],
        },
        { holder: 'G', principals: 2, actions: 2, effort: 3, cut: [1, 'remove-permission u5 WriteDacl adm'] },
      ],
    });
  });

  it('goes on for as many as the share says, one action or not', () => {
    const world = directory('u0 in G', 'u1 in G', 'G GenericAll u5', 'u5 WriteDacl adm');
    expect(planned(world, 0).changes).toEqual([['remove-permission u5 WriteDacl adm']]);
  });
});
