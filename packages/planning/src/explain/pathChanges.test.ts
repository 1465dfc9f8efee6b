import { contextOf, NOW, OTHER_SID, SID } from '@clew/analysis/testing';
import { NodeSet, objectIdOf } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedWorld, worldOf } from '../simulation/simulate.ts';
import { findingPath } from './findingPath.ts';
import { pathChanges } from './pathChanges.ts';
import { zoneEfforts } from './zoneEfforts.ts';

const USERS = 8;
const KINDS = ['MemberOf', 'GenericAll', 'WriteDacl', 'HasSession'] as const;
type Relation = readonly [start: string, kind: (typeof KINDS)[number], end: string];

const EVERY = `${SID}-513`;
const ids = [
  EVERY,
  ...Array.from({ length: USERS }, (_, user) => `${SID}-${1000 + user}`),
  `${OTHER_SID}-1000`,
];
const ADMIN = `${SID}-1000`;

/** User 1000 is in Tier Zero; half of the users are in Domain Users. One user belongs to another forest. */
function worldWith(some: readonly Relation[]) {
  const domains = [SID, OTHER_SID].map((id) => ({
    ...{ id, kinds: [NodeKind.Base, NodeKind.Domain], props: { domainsid: id, collected: true } },
  }));
  const objects = ids.map((id) => ({
    ...{ id, kinds: [NodeKind.Base, id === EVERY ? NodeKind.Group : NodeKind.User] },
    props: { domainsid: id.replace(/-\d+$/, '') },
  }));
  const inGroup = ids.slice(4, 7).map((id) => [id, 'MemberOf', EVERY] as const);
  const test = graphOf({
    nodes: [...domains, ...objects],
    edges: [...some, ...inGroup].map(([start, kind, end]) => [start, EdgeKind[kind], end]),
  });
  const members = NodeSet.of(test.graph.nodeCount, [test.node(ADMIN)]);
  const zone = { id: 1, position: 1, analyzed: true, members, pending: NodeSet.empty(test.graph.nodeCount) };
  const world = worldOf(contextOf(test), { zonesOf: () => [zone], now: NOW });
  const refs = (list: readonly Relation[]) =>
    list.map(([start, kind, end]) => ({
      start: test.node(start),
      kind: EdgeKind[kind],
      end: test.node(end),
    }));
  return { test, world, refs };
}

const relation: fc.Arbitrary<Relation> = fc.tuple(
  fc.constantFrom(...ids),
  fc.constantFrom(...KINDS),
  fc.constantFrom(...ids),
);
const relations = fc.uniqueArray(relation, { selector: (each) => each.join(' '), maxLength: 22 });

describe('paths before and after a change', () => {
  it('are easiest ones, lose a step, and are there wherever it becomes harder for someone', () => {
    fc.assert(
      fc.property(relations, fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), (some, drawn) => {
        if (some.length === 0) return;
        const gone = [...new Set(drawn.map((at) => some[at % some.length]))];
        const { test, world, refs } = worldWith(some);
        const after = changedWorld(world, { removed: refs(gone) });
        const [from, to] = [zoneEfforts(world, 1)!, zoneEfforts(after, 1)!];
        const [change, ...more] = pathChanges(world, after, 1);
        expect(more).toEqual([]);
        const own = [...world.principals].filter((node) =>
          objectIdOf(test.graph, node).startsWith(`${SID}-`),
        );
        if (own.some((node) => to.efforts[node] > from.efforts[node])) expect(change).toBeDefined();
        if (change === undefined) return;
        const { start, before, after: left } = change;
        expect(before.effort).toBe(from.efforts[start]);
        expect(before.steps.reduce((sum, step) => sum + step.effort, 0)).toBe(before.effort);
        expect(before.steps.some(({ isCut }) => isCut)).toBe(true);
        expect(before.steps[0].start).toBe(start);
        for (const [at, step] of before.steps.entries())
          if (at > 0) expect(step.start).toBe(before.steps[at - 1].end);
        const isGone = new Set(refs(gone).map((ref) => `${ref.start} ${ref.kind} ${ref.end}`));
        for (const step of before.steps)
          expect(isGone.has(`${step.start} ${step.kind} ${step.end}`)).toBe(step.isCut);
        expect(left?.effort ?? 0xffff_ffff).toBe(to.efforts[start]);
      }),
      { numRuns: 300 },
    );
  });

  it('begin at Domain Users where its path is cut, also where another path is as easy', () => {
    const cut = [`${SID}-1002`, 'GenericAll', ADMIN] as const;
    const { world, refs, test } = worldWith([
      [EVERY, 'GenericAll', `${SID}-1001`],
      [`${SID}-1001`, 'GenericAll', ADMIN],
      [EVERY, 'GenericAll', `${SID}-1002`],
      cut,
      [EVERY, 'HasSession', `${OTHER_SID}-1000`],
      [`${OTHER_SID}-1000`, 'MemberOf', ADMIN],
    ]);
    const [change] = pathChanges(world, changedWorld(world, { removed: refs([cut]) }), 1);
    expect(change.start).toBe(test.node(EVERY));
    expect(change.before.steps.map(({ isCut }) => isCut)).toEqual([false, true]);
    expect(change.after?.effort).toBe(2);
    expect([...change.beforeThrough, ...change.afterThrough]).toEqual([]);
    const both: Relation[] = [cut, [`${SID}-1001`, 'GenericAll', ADMIN]];
    const [through] = pathChanges(world, changedWorld(world, { removed: refs(both) }), 1);
    expect(through.after?.steps.at(-1)?.start).toBe(test.node(`${OTHER_SID}-1000`));
    expect(through.afterThrough).toEqual([test.node(OTHER_SID)]);
  });
});

describe('the whole path of a finding', () => {
  it('begins at the largest group that reaches the source and goes on into the zone', () => {
    const { world, refs, test } = worldWith([
      [EVERY, 'GenericAll', `${SID}-1002`],
      [`${SID}-1002`, 'WriteDacl', `${SID}-1001`],
      [`${SID}-1001`, 'GenericAll', ADMIN],
    ]);
    const [finding] = refs([[`${SID}-1002`, 'WriteDacl', `${SID}-1001`]]);
    const path = findingPath(world, 1, finding)!;
    expect(path.start).toBe(test.node(EVERY));
    expect(path.steps.map(({ isFinding }) => isFinding)).toEqual([false, true, false]);
    expect(path).toMatchObject({ effort: 1 + 2 + 1, entersZone: true, through: [] });
  });

  it('never goes through the zone to its source', () => {
    const { world, refs, test } = worldWith([
      [EVERY, 'GenericAll', ADMIN],
      [ADMIN, 'GenericAll', `${SID}-1001`],
      [`${SID}-1001`, 'WriteDacl', ADMIN],
    ]);
    const [finding] = refs([[`${SID}-1001`, 'WriteDacl', ADMIN]]);
    expect(findingPath(world, 1, finding)).toMatchObject({ start: test.node(`${SID}-1001`), effort: 2 });
    expect(findingPath(world, 1, { ...finding, kind: EdgeKind.GetChanges })).toBeUndefined();
  });
});
