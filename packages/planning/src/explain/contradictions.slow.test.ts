/** Tests, on random organizations, that results never contradict each other. */
import { AnalysisContext, analyze, defaultOptions, expandZone, findFindings } from '@clew/analysis';
import { changeEdges, NodeSet } from '@clew/graph';
import { graphOf, newRandom } from '@clew/graph/testing';
import { EdgeFlag, EdgeKind, type EdgeKindName, NodeKind, type NodeKindName } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { wholePlan } from '../plan.ts';
import { worldOf } from '../simulation/simulate.ts';
import { easiestPath } from './easiestPath.ts';
import { easiestPathCut } from './easiestPathCut.ts';
import { zoneEfforts } from './zoneEfforts.ts';

const ORGANIZATIONS = 70 * Number(process.env.CLEW_TEST_RUNS ?? 1);
const D = 'S-1-5-21-1-2-3';
const ADMINS = `${D}-512`;
const EVERY = `${D}-513`;
const KINDS: readonly EdgeKindName[] = [
  'GenericAll',
  'WriteDacl',
  'AddMember',
  'ForceChangePassword',
  'Enroll',
];

/** One domain of about thirty objects; each draw differs. */
function organization(seed: number) {
  const random = newRandom(seed + 1);
  const pick = <One>(some: readonly One[]): One => some[Math.floor(random() * some.length)] as One;
  const ids = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at}`);
  const users = Array.from({ length: 10 }, (_, at) => `${D}-${1100 + at}`);
  const groups = [ADMINS, EVERY, ...Array.from({ length: 4 }, (_, at) => `${D}-${1200 + at}`)];
  const computers = Array.from({ length: 3 }, (_, at) => `${D}-${1300 + at}`);
  const [units, containers, policies] = [ids('O', 4), ids('C', 2), ids('P', 3)];
  const places = [D, ...units, ...containers];
  const node = (id: string, kind: NodeKindName, props: object = {}) => ({
    ...{ id, kinds: [NodeKind.Base, NodeKind[kind]] },
    props: { domainsid: D, isaclprotected: random() < 0.3, ...props },
  });
  const objects = [...users, ...groups, ...computers];
  const edges: [string, number, string, number][] = [];
  const add = (start: string, kind: EdgeKindName, end: string, flags = 0): void => {
    if (start !== end) edges.push([start, EdgeKind[kind], end, flags]);
  };
  for (const [at, unit] of [...units, ...containers].entries())
    add(pick(places.slice(0, at + 1)), 'Contains', unit);
  for (const object of objects) add(pick(places), 'Contains', object);
  for (const policy of policies)
    add(policy, 'GPLink', pick([D, ...units]), random() < 0.4 ? EdgeFlag.Enforced : 0);
  for (const user of users) add(user, 'MemberOf', random() < 0.8 ? EVERY : pick(groups));
  add(users[0] as string, 'MemberOf', ADMINS);
  for (let count = 0; count < 3; count++) add(pick(computers), 'HasSession', pick(users));
  // A host that is trusted for delegation, which may be disabled.
  if (seed % 3 === 0) add(computers[2] as string, 'CoerceToTGT', D);
  for (let count = 0; count < 8; count++)
    add(
      pick([...users, ...groups.slice(1)]),
      pick(KINDS),
      pick([...objects, ...units, ...containers, ...policies]),
    );
  return graphOf({
    nodes: [
      node(D, 'Domain', { collected: true, name: 'CORP.LOCAL' }),
      ...users.map((id) => node(id, 'User', { enabled: true })),
      ...groups.map((id) => node(id, 'Group')),
      ...computers.map((id, at) => node(id, 'Computer', { enabled: at < 2 || seed % 2 === 0 })),
      ...units.map((id) => node(id, 'OU', { blocksinheritance: random() < 0.4 })),
      ...containers.map((id) => node(id, 'Container')),
      ...policies.map((id) => node(id, 'GPO')),
    ],
    edges,
  });
}

function analyzed(seed: number, more: readonly [string, EdgeKindName, string][] = []) {
  const test = organization(seed);
  const { properties, edgeProperties } = test;
  const input = { properties, edgeProperties, options: defaultOptions() };
  const planted = more.map(([start, kind, end]) => ({
    start: test.node(start),
    kind: EdgeKind[kind],
    end: test.node(end),
  }));
  const facts = changeEdges(test.graph, { added: planted });
  const { edges } = analyze({ ...input, graph: facts });
  const added = Array.from(edges.starts, (start, at) => {
    return { start, kind: edges.kinds[at], end: edges.ends[at], flags: edges.flags[at] };
  });
  const context = new AnalysisContext({ ...input, graph: changeEdges(facts, { added }) });
  const zonesOf = (changed: AnalysisContext) => {
    const seeds = NodeSet.of(changed.graph.nodeCount, [test.node(ADMINS), test.node(D)]);
    const members = expandZone(changed, seeds, 'all').all;
    return [{ id: 1, position: 1, analyzed: true, members, pending: changed.emptySet() }];
  };
  const world = worldOf(context, { zonesOf, now: 1_767_225_600 });
  return { test, world, found: findFindings({ context, zones: world.zones, now: 1_767_225_600 }) };
}

const known = new Map<number, ReturnType<typeof analyzed>>();

/** Analyzed once for all tests. */
function organizationOf(seed: number): ReturnType<typeof analyzed> {
  const found = known.get(seed) ?? analyzed(seed);
  known.set(seed, found);
  return found;
}

describe('on random organizations', () => {
  it('no one is exposed without a relationship finding on the way', () => {
    let exposed = 0;
    for (let seed = 0; seed < ORGANIZATIONS; seed++) {
      const { found } = organizationOf(seed);
      expect([seed, found.exposedWithoutFinding, found.warnings]).toEqual([seed, 0, found.warnings]);
      exposed += found.postures.filter(({ exposureIndex }) => exposureIndex > 0).length;
    }
    // Otherwise the test would be meaningless.
    expect(exposed).toBeGreaterThan(ORGANIZATIONS / 4);
  });

  it('a way that no finding reports is seen', () => {
    // No finding type reports this kind. A principal already in the zone has a finding on its path.
    const counts = Array.from({ length: 20 }, (_, seed) => {
      const { found } = analyzed(seed, [[`${D}-1109`, 'CanBackup', ADMINS]]);
      return found.exposedWithoutFinding;
    });
    expect(Math.max(...counts)).toBeGreaterThan(0);
  });

  it('taking a drawn path away makes it harder, or leaves fewer ways', () => {
    let paths = 0;
    for (let seed = 0; seed < ORGANIZATIONS; seed++) {
      const { test, world } = organizationOf(seed);
      const start = test.node(EVERY);
      const path = easiestPath(world, 1, start);
      if (path === undefined || path.effort === 0) continue;
      paths++;
      const ways = easiestPathCut(world, 1, start);
      expect(ways).toBeGreaterThan(0);
      const removed = path.steps
        .filter(({ effort }) => effort > 0)
        .map(({ start: from, kind, end }) => ({ start: from, kind, end }));
      const zonesOf = () => world.zones;
      const { context } = world;
      const left = worldOf(
        new AnalysisContext({
          ...{
            properties: context.properties,
            edgeProperties: context.edgeProperties,
            options: context.options,
          },
          graph: changeEdges(context.graph, { removed }),
        }),
        { zonesOf, now: world.options.now },
      );
      const after = zoneEfforts(left, 1)?.efforts[start] ?? 0;
      expect(after > path.effort || easiestPathCut(left, 1, start) < ways).toBe(true);
    }
    expect(paths).toBeGreaterThan(ORGANIZATIONS / 10);
  });

  it('each card of the plan keeps someone out or closes a finding', () => {
    for (let seed = 0; seed < 40; seed++) {
      const { world } = organizationOf(seed);
      for (const card of wholePlan(world, { zone: 1 })?.cards ?? [])
        expect([seed, card.exposedAfter < card.exposedBefore || card.closed.length > 0]).toEqual([
          seed,
          true,
        ]);
    }
  });
});
