import { attackSteps } from '@clew/analysis';
import { contextOf, DAY, NOW, OTHER_SID, SID, TENANT } from '@clew/analysis/testing';
import { NodeSet, reachableNodes, UNREACHABLE } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { ATTACK_EFFORTS, EdgeKind, effortTable, NodeKind, type TraversableKindName } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exposuresOf, rankedZone, worldOf } from '../simulation/simulate.ts';
import { easiestBetween, easiestPath } from './easiestPath.ts';
import { easiestPathCut } from './easiestPathCut.ts';
import { defaultGroups, widestGroup } from './widestGroup.ts';
import { zoneEfforts } from './zoneEfforts.ts';

/** Multiplies the number of random cases; nightly runs have more. */
const RUNS = Number(process.env.CLEW_TEST_RUNS ?? 1);

const USERS = 9;
/** One kind of each class, and one that is not a step. */
const KINDS = ['MemberOf', 'GenericAll', 'WriteDacl', 'HasSession', 'CanRDP', 'GetChanges'] as const;
type Relation = readonly [start: number, kind: (typeof KINDS)[number], end: number];

const relation: fc.Arbitrary<Relation> = fc.tuple(
  fc.nat(USERS - 1),
  fc.constantFrom(...KINDS),
  fc.nat(USERS - 1),
);
const relations = fc.uniqueArray(relation, { selector: (each) => each.join(' '), maxLength: 24 });
const idOf = (user: number): string => `${user % 3 === 2 ? OTHER_SID : SID}-${1000 + user}`;
const effortOf = (kind: string): number | undefined =>
  ATTACK_EFFORTS.get(kind as TraversableKindName)?.effort;

/** Users 0 and 2 are in Tier Zero, one in each domain. @param order order of the same relations in the upload */
function worldWith(
  some: readonly Relation[],
  props: Readonly<Record<number, object>> = {},
  order = some,
  isForest = false,
) {
  const domains = [SID, OTHER_SID].map((id) => ({
    ...{ id, kinds: [NodeKind.Base, NodeKind.Domain], props: { domainsid: id, collected: true } },
  }));
  const users = Array.from({ length: USERS }, (_, user) => ({
    ...{ id: idOf(user), kinds: [NodeKind.Base, NodeKind.User] },
    props: { domainsid: idOf(user).replace(/-\d+$/, ''), ...props[user] },
  }));
  const test = graphOf({
    nodes: [...domains, ...users],
    edges: [
      ...order.map(([start, kind, end]) => [idOf(start), EdgeKind[kind], idOf(end)] as const),
      ...(isForest ? [[OTHER_SID, EdgeKind.SameForestTrust, SID] as const] : []),
    ],
  });
  const members = NodeSet.of(test.graph.nodeCount, [test.node(idOf(0)), test.node(idOf(2))]);
  const zone = { id: 1, position: 1, analyzed: true, members, pending: NodeSet.empty(test.graph.nodeCount) };
  const world = worldOf(contextOf(test), { zonesOf: () => [zone], now: NOW });
  return { test, world, efforts: zoneEfforts(world, 1)! };
}

/** Efforts by user, computed per forest by relaxing every relation until nothing changes. */
function naiveEfforts(some: readonly Relation[], isForest = false): number[] {
  return Array.from({ length: USERS }, (_, asked) => {
    const targets = isForest ? [0, 2] : [asked % 3 === 2 ? 2 : 0];
    const best = new Array<number>(USERS).fill(Number.POSITIVE_INFINITY);
    for (const target of targets) best[target] = 0;
    for (let round = 0; round < USERS; round++)
      for (const [start, kind, end] of some)
        best[start] = Math.min(best[start], best[end] + (effortOf(kind) ?? Number.POSITIVE_INFINITY));
    return best[asked];
  });
}

const finite = (effort: number): number => (effort === UNREACHABLE ? Number.POSITIVE_INFINITY : effort);

describe('attack effort', () => {
  it('equals a slow relaxation, and does not depend on the order of upload', () => {
    fc.assert(
      fc.property(relations, fc.infiniteStream(fc.nat()), fc.boolean(), (some, keys, isForest) => {
        const shuffled = some
          .map((each) => ({ each, key: keys.next().value }))
          .sort((a, b) => (a.key ?? 0) - (b.key ?? 0))
          .map(({ each }) => each);
        for (const order of [some, shuffled]) {
          const { test, efforts } = worldWith(some, {}, order, isForest);
          const found = Array.from({ length: USERS }, (_, user) =>
            finite(efforts.efforts[test.node(idOf(user))]),
          );
          expect(found).toEqual(naiveEfforts(some, isForest));
        }
      }),
    );
  });

  it('is finite exactly for those that exposure counts', () => {
    fc.assert(
      fc.property(relations, fc.boolean(), (some, isForest) => {
        const { world, efforts } = worldWith(some, {}, some, isForest);
        for (const { environment, exposed, principals } of exposuresOf(world)) {
          const own = efforts.byEnvironment.find((one) => one.environment === environment)!;
          const { trivial, easy, moderate, hard, none } = own.bands;
          expect(trivial + easy + moderate + hard).toBe(exposed);
          expect(trivial + easy + moderate + hard + none).toBe(principals);
          expect(own.principals).toBe(principals);
          expect(own.oneAction).toBeLessThanOrEqual(trivial);
        }
        const ranked = rankedZone(world, 1)!;
        const filter = attackSteps(world.context.graph);
        const upstream = reachableNodes(world.context.graph, ranked.members, { direction: 'in', filter });
        world.principals.forEach((node) => {
          if (efforts.efforts[node] !== UNREACHABLE) expect(upstream.has(node)).toBe(true);
        });
      }),
    );
  });

  it('between two nodes is the least of a slow relaxation, over a path of the fewest such steps', () => {
    const user = fc.nat(USERS - 1);
    fc.assert(
      fc.property(relations, user, user, (some, start, end) => {
        const { test, world } = worldWith(some);
        const steps = some.map(([from, kind, to]) => ({ from, to, effort: effortOf(kind) }));
        const best = Array.from({ length: USERS }, (_, at) => (at === end ? [0, 0] : [1e9, 0]));
        for (let round = 0; round < USERS; round++)
          for (const { from, to, effort } of steps) {
            if (effort === undefined) continue;
            const [cost, edges] = [best[to][0] + effort, best[to][1] + 1];
            if (cost < best[from][0] || (cost === best[from][0] && edges < best[from][1]))
              best[from] = [cost, edges];
          }
        const path = easiestBetween(world, test.node(idOf(start)), test.node(idOf(end)));
        const [cost, edges] = best[start];
        if (start === end || cost >= 1e9) {
          expect(path).toBeUndefined();
          return;
        }
        expect([path?.effort, path?.steps.length]).toEqual([cost, edges]);
        expect(path?.steps.reduce((sum, step) => sum + step.effort, 0)).toBe(cost);
        const nodes = path?.steps.map((step) => step.start) ?? [];
        expect([...nodes, test.node(idOf(end))]).toEqual([
          test.node(idOf(start)),
          ...(path?.steps.map((step) => step.end) ?? []),
        ]);
      }),
    );
  });

  it('is at most the effort of any step plus the rest, and the path adds up', () => {
    fc.assert(
      fc.property(relations, (some) => {
        const { test, world, efforts } = worldWith(some);
        const { of } = { of: (user: number) => user % 3 === 2 };
        for (const [start, kind, end] of some) {
          const step = effortOf(kind);
          if (step === undefined || of(start) !== of(end)) continue;
          const [from, to] = [start, end].map((user) => finite(efforts.efforts[test.node(idOf(user))]));
          expect(from).toBeLessThanOrEqual(step + to);
        }
        for (let user = 0; user < USERS; user++) {
          const path = easiestPath(world, 1, test.node(idOf(user)));
          const effort = efforts.efforts[test.node(idOf(user))];
          expect(path?.effort).toBe(effort === UNREACHABLE ? undefined : effort);
          if (path === undefined) continue;
          expect(path.steps.reduce((sum, step) => sum + step.effort, 0)).toBe(path.effort);
          const nodes = [test.node(idOf(user)), ...path.steps.map(({ end }) => end)];
          for (const [at, step] of path.steps.entries()) {
            expect(step.start).toBe(nodes[at]);
            expect(world.context.graph.out.neighbors[step.edge]).toBe(step.end);
          }
          expect(rankedZone(world, 1)?.members.has(nodes.at(-1)!)).toBe(true);
        }
      }),
    );
  });

  it('never falls when a relation goes, and neither does the pair with the equally easy ways', () => {
    fc.assert(
      fc.property(relations, fc.nat(), (some, drawn) => {
        if (some.length === 0) return;
        const left = some.toSpliced(drawn % some.length, 1);
        const [before, after] = [worldWith(some), worldWith(left)];
        for (let user = 0; user < USERS; user++) {
          const node = before.test.node(idOf(user));
          const [from, to] = [before, after].map(({ efforts }) => finite(efforts.efforts[node]));
          expect(to).toBeGreaterThanOrEqual(from);
          if (to !== from || from === Number.POSITIVE_INFINITY || from === 0) continue;
          expect(easiestPathCut(after.world, 1, node)).toBeLessThanOrEqual(
            easiestPathCut(before.world, 1, node),
          );
        }
        for (const [at, own] of after.efforts.byEnvironment.entries()) {
          const was = before.efforts.byEnvironment[at];
          expect(own.typical ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(
            was.typical ?? Number.POSITIVE_INFINITY,
          );
          let [sumBefore, sumAfter] = [0, 0];
          for (const band of ['trivial', 'easy', 'moderate', 'hard'] as const) {
            sumBefore += was.bands[band];
            sumAfter += own.bands[band];
            expect(sumAfter).toBeLessThanOrEqual(sumBefore);
          }
        }
      }),
    );
  });

  it('counts ways: as many relations have to go before it rises', () => {
    fc.assert(
      fc.property(relations, (some) => {
        const { test, world, efforts } = worldWith(some);
        for (let user = 0; user < USERS; user++) {
          const node = test.node(idOf(user));
          const effort = efforts.efforts[node];
          const ways = easiestPathCut(world, 1, node);
          if (effort === UNREACHABLE || effort === 0) {
            expect(ways).toBe(0);
            continue;
          }
          expect(ways).toBe(fewestThatRaise(some, user));
        }
      }),
      { numRuns: 20 * RUNS },
    );
  });

  it('rises with a number of the table, and falls for no one', () => {
    fc.assert(
      fc.property(relations, fc.constantFrom(...KINDS.slice(0, 5)), (some, kind) => {
        const { world, efforts } = worldWith(some);
        const more = zoneEfforts(world, 1, effortTable({ [kind]: (effortOf(kind) ?? 0) + 3 }))!;
        for (const [node, effort] of efforts.efforts.entries())
          expect(more.efforts[node]).toBeGreaterThanOrEqual(effort);
      }),
    );
  });

  it('is the length of the shortest path when every step is one', () => {
    fc.assert(
      fc.property(relations, (some) => {
        const { test, world } = worldWith(some);
        const table = effortTable(Object.fromEntries([...ATTACK_EFFORTS.keys()].map((kind) => [kind, 1])));
        const { efforts } = zoneEfforts(world, 1, table)!;
        for (let user = 0; user < USERS; user++) {
          const node = test.node(idOf(user));
          const target = [test.node(idOf(user % 3 === 2 ? 2 : 0))];
          const { graph } = world.context;
          const at = [...Array(USERS + 1).keys()].find((depth) =>
            reachableNodes(graph, target, {
              direction: 'in',
              filter: attackSteps(graph),
              maxDepth: depth,
            }).has(node),
          );
          expect(efforts[node]).toBe(at ?? UNREACHABLE);
        }
      }),
    );
  });
});

/** Tries all sets of relations with effort, smaller ones first. */
function fewestThatRaise(some: readonly Relation[], user: number): number {
  const before = naiveEfforts(some)[user];
  const useful = some.filter(([, kind]) => (effortOf(kind) ?? 0) > 0);
  const isRaised = (gone: readonly Relation[]): boolean =>
    naiveEfforts(some.filter((each) => !gone.includes(each)))[user] > before;
  const tries = (count: number, from: number, gone: readonly Relation[]): boolean => {
    if (count === 0) return isRaised(gone);
    for (let at = from; at < useful.length; at++)
      if (tries(count - 1, at + 1, [...gone, useful[at]])) return true;
    return false;
  };
  for (let count = 1; count <= 3; count++) if (tries(count, 0, [])) return count;
  return 4;
}

describe('the known facts of the ends', () => {
  const computer = (props: object) => ({
    ...{ id: `${SID}-2001`, kinds: [NodeKind.Base, NodeKind.Computer], props: { domainsid: SID, ...props } },
  });
  const user = (id: string, props: object) => ({
    ...{ id: `${SID}-${id}`, kinds: [NodeKind.Base, NodeKind.User], props: { domainsid: SID, ...props } },
  });

  function effortsOf(kind: TraversableKindName, start: object, end: object, domain: object = {}): number {
    const isFromComputer = kind === 'HasSession';
    const isToComputer =
      !isFromComputer && (kind.startsWith('A') || kind.includes('LAPS') || kind === 'SQLAdmin');
    const from = isFromComputer ? computer(start) : user('1001', start);
    const to =
      isToComputer && kind !== 'AllExtendedRights' && kind !== 'AddKeyCredentialLink'
        ? computer(end)
        : user('1002', end);
    const test = graphOf({
      nodes: [
        {
          id: SID,
          kinds: [NodeKind.Base, NodeKind.Domain],
          props: { domainsid: SID, collected: true, whencreated: NOW, ...domain },
        },
        from,
        to,
      ],
      edges: [[from.id, EdgeKind[kind], to.id]],
    });
    const members = NodeSet.of(test.graph.nodeCount, [test.node(to.id)]);
    const zone = {
      id: 1,
      position: 1,
      analyzed: true,
      members,
      pending: NodeSet.empty(test.graph.nodeCount),
    };
    const world = worldOf(contextOf(test), { zonesOf: () => [zone], now: NOW });
    return zoneEfforts(world, 1)!.efforts[test.node(from.id)];
  }

  it.each([
    ['ForceChangePassword', {}, { enabled: false }, {}, 8],
    ['ForceChangePassword', {}, { enabled: true }, {}, 1],
    ['ForceChangePassword', {}, {}, {}, 1],
    ['GenericAll', {}, { enabled: false }, {}, 2],
    ['AllExtendedRights', {}, { enabled: false }, {}, 8],
    ['AllExtendedRights', {}, { enabled: true }, {}, 1],
    ['ReadGMSAPassword', {}, { enabled: false }, {}, 8],
    ['ReadGMSAPassword', {}, { enabled: true }, {}, 1],
    ['DumpSMSAPassword', {}, { enabled: false }, {}, 8],
    ['DumpSMSAPassword', {}, {}, {}, 2],
    ['WriteAltSecurityIdentities', {}, { enabled: false }, {}, 8],
    ['WritePublicInformation', {}, { enabled: false }, {}, 8],
    // An attacker who uses a right of a disabled account has enabled it in an earlier step, which counts this.
    ['GenericAll', { enabled: false }, {}, {}, 1],
    ['HasSession', {}, {}, {}, 4],
    ['HasSession', {}, { enabled: false }, {}, 8],
    ['CoerceToTGT', { enabled: false }, {}, {}, 8],
    ['CoerceToTGT', { enabled: true }, {}, {}, 4],
    ['HasSession', {}, { hasspn: true }, {}, 2],
    ['HasSession', {}, { gmsa: true }, {}, 2],
    ['HasSession', { lastlogontimestamp: NOW - 91 * DAY }, { gmsa: true }, {}, 8],
    ['HasSession', { lastlogontimestamp: NOW - 91 * DAY, lastlogon: NOW - DAY }, {}, {}, 4],
    ['HasSession', { lastlogontimestamp: 0 }, {}, {}, 4],
    ['AdminTo', {}, { lastlogontimestamp: NOW - 100 * DAY }, {}, 4],
    ['AdminTo', {}, { enabled: false }, {}, 4],
    ['AdminTo', {}, {}, {}, 1],
    ['AllowedToDelegate', {}, { enabled: false }, {}, 4],
    ['AddAllowedToAct', {}, {}, { machineaccountquota: 0 }, 4],
    ['AddAllowedToAct', {}, {}, { machineaccountquota: 10 }, 2],
    ['AddAllowedToAct', {}, {}, {}, 2],
  ] as const)('%s from %j to %j in %j', (kind, start, end, domain, effort) => {
    expect(effortsOf(kind, start, end, domain)).toBe(effort);
  });
});

describe('the widest group', () => {
  it('is the one of Domain Users and Domain Computers that more principals are in', () => {
    const member = (id: string, kind: 'User' | 'Computer' | 'Group') => ({
      ...{ id, kinds: [NodeKind.Base, NodeKind[kind]], props: { domainsid: SID } },
    });
    const groups = [`${SID}-513`, `${SID}-515`, 'CORP-S-1-5-11'];
    const test = graphOf({
      nodes: [
        { id: SID, kinds: [NodeKind.Base, NodeKind.Domain], props: { domainsid: SID, collected: true } },
        { id: OTHER_SID, kinds: [NodeKind.Base, NodeKind.Domain], props: { domainsid: OTHER_SID } },
        ...groups.map((id) => member(id, 'Group')),
        ...['1001', '1002'].map((rid) => member(`${SID}-${rid}`, 'User')),
        member(`${SID}-2001`, 'Computer'),
      ],
      edges: [
        [`${SID}-1001`, EdgeKind.MemberOf, groups[0]],
        [`${SID}-1002`, EdgeKind.MemberOf, groups[0]],
        [`${SID}-2001`, EdgeKind.MemberOf, groups[1]],
        [groups[0], EdgeKind.MemberOf, groups[2]],
        [groups[1], EdgeKind.MemberOf, groups[2]],
      ],
    });
    const world = worldOf(contextOf(test), { zonesOf: () => [], now: NOW });
    const place = (sid: string) => world.environments.indexOf(test.node(sid));
    expect(widestGroup(world, place(SID))).toBe(test.node(groups[0]));
    expect(defaultGroups(world, place(SID)).map(({ members }) => members)).toEqual([2, 1]);
    expect(widestGroup(world, place(OTHER_SID))).toBeUndefined();
  });

  it('of a tenant is the largest that more than half of its users are in', () => {
    const inTenant = (id: string, kind: 'AZTenant' | 'AZUser' | 'AZGroup') => ({
      ...{ id, kinds: [NodeKind.AZBase, NodeKind[kind]], props: { tenantid: TENANT, collected: true } },
    });
    const widest = (edges: readonly (readonly [string, string])[]) => {
      const test = graphOf({
        nodes: [
          inTenant(TENANT, 'AZTenant'),
          ...['ALL', 'TEAM', 'FEW'].map((id) => inTenant(id, 'AZGroup')),
          ...['U1', 'U2', 'U3', 'U4'].map((id) => inTenant(id, 'AZUser')),
        ],
        edges: edges.map(([start, end]) => [start, EdgeKind.AZMemberOf, end]),
      });
      const world = worldOf(contextOf(test), { zonesOf: () => [], now: NOW });
      const found = widestGroup(world, world.environments.indexOf(test.node(TENANT)));
      return found === undefined ? undefined : test.ids([found])[0];
    };
    const team = [
      ['U1', 'TEAM'],
      ['U2', 'TEAM'],
      ['U3', 'TEAM'],
      ['U4', 'FEW'],
    ] as const;
    expect(widest(team)).toBe('TEAM');
    expect(widest([...team, ['TEAM', 'ALL'], ['U4', 'ALL']])).toBe('ALL');
    expect(widest(team.slice(1))).toBeUndefined();
  });
});
