import {
  AnalysisContext,
  analyze,
  defaultOptions,
  type EdgeRef,
  membership,
  Oid,
  RULES,
  type Rule,
} from '@clew/analysis';
import { commonMembers, inputOf, Membership, type Pki, primaryGroups } from '@clew/analysis/testing';
import {
  type AttackGraph,
  changeEdges,
  EdgeList,
  findEdge,
  type JsonObject,
  NO_EDGE,
  NodeSet,
  objectIdOf,
  withEdges,
} from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { EdgeFlag, EdgeKind, type EdgeKindName, edgeKindById, NodeKind } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  collectedEdges,
  directoryOf,
  type RandomDirectory,
  randomDirectories,
  randomWorld,
} from '../../test/randomDirectories.ts';
import { applyChange } from './applyChange.ts';
import type { AnalyzedWorld } from './simulate.ts';
import { changedWorld, endWorld, exposuresOf, findingChangesOf, findingsOf } from './simulate.ts';

/** Multiplies the number of random cases; nightly runs have more. */
const RUNS = Number(process.env.CLEW_TEST_RUNS ?? 1);

const SID = 'S-1-5-21-1-2-3';
const BLOCKED = `${'0'.repeat(28)}1`;

/** DA owns the computer T as a member of Domain Admins. */
function analyzed(domain: JsonObject) {
  const thing = (id: string, kind: 'Domain' | 'Computer' | 'User' | 'Group', props: JsonObject = {}) => ({
    ...{ id, kinds: [NodeKind.Base, NodeKind[kind]], props: { domainsid: SID, ...props } },
  });
  const world = graphOf({
    nodes: [
      thing('D', 'Domain', domain),
      ...[thing('T', 'Computer'), thing('DA', 'User'), thing(`${SID}-512`, 'Group')],
    ],
    edges: [
      ['DA', EdgeKind.OwnsRaw, 'T'],
      ['DA', EdgeKind.MemberOf, `${SID}-512`],
    ],
  });
  const options = defaultOptions();
  const { graph, properties, edgeProperties } = world;
  const { edges } = analyze({ graph, properties, edgeProperties, options });
  const list = new EdgeList();
  for (const [at, start] of edges.starts.entries())
    list.append(start, edges.kinds[at], edges.ends[at], edges.flags[at] | EdgeFlag.Derived);
  const whole = withEdges(graph, list);
  return {
    context: new AnalysisContext({ graph: whole, properties, edgeProperties, options }),
    node: (id: string) =>
      Array.from({ length: graph.nodeCount }, (_, at) => objectIdOf(graph, at)).indexOf(id),
  };
}

/** Records which rules run. */
function watched(): { readonly rules: readonly Rule[]; readonly ran: string[] } {
  const ran: string[] = [];
  const rules = RULES.map((rule) => ({
    ...rule,
    derive: (...facts: Parameters<Rule['derive']>) => {
      ran.push(rule.name);
      rule.derive(...facts);
    },
  }));
  return { rules, ran };
}

describe('a membership that goes', () => {
  const without = (domain: JsonObject) => {
    const { context, node } = analyzed(domain);
    const { rules, ran } = watched();
    const [member, group] = [node('DA'), node(`${SID}-512`)];
    const change = { removed: [{ start: member, kind: EdgeKind.MemberOf, end: group }] };
    const changed = applyChange(context, change, rules);
    const gone = changed.edges.map(({ kind }) => kind);
    return { changed, ran, gone, group };
  };

  it('changes the rights of owners where a forest blocks the rights of others', () => {
    const { ran, gone } = without({ dsheuristics: BLOCKED });
    expect(gone).toEqual([EdgeKind.MemberOf, EdgeKind.Owns]);
    expect(ran).toContain('ownership');
  });

  it('does not ask the rule of ownership where none does', () => {
    const { ran, gone } = without({});
    expect(gone).toEqual([EdgeKind.MemberOf]);
    expect(ran).not.toContain('ownership');
    expect(ran.length).toBeGreaterThan(0);
  });

  it('leaves the members without it', () => {
    const { changed, group } = without({ dsheuristics: BLOCKED });
    expect(changed.context.use(membership).membersOf(group).size).toBe(0);
  });
});

/** Citrix hosts, Protected Users, and groups with several of the rights that rules look for. */
function extend(pki: Pki): void {
  for (const host of ['c1', 'c3']) pki.set(`${host}-562`, { name: `DIRECT ACCESS USERS@${host}` });
  // Members of A enroll, and members of P may name them.
  pki.facts('A en T', 'A en C', 'P GenericWrite u2', 'u2 in A', 'u3 GenericAll u2');
  pki.add('PU', 'Group', { domainsid: 'S-1-5-21-1' }).facts('c2 in PU', 'B in PU', 'u1 in A', 'A in B');
  pki.facts('A MemberOfLocalGroup c1-562', 'u1 MemberOfLocalGroup c1-555', 'B MemberOfLocalGroup c1-555');
  pki.facts('B MemberOfLocalGroup c2-555', 'A RemoteInteractiveLogonRight c2', 'c1 in P', 'c2 in P');
  pki.facts(
    'P MemberOfLocalGroup c3-544',
    'A GetChanges D',
    'B GetChangesInFilteredSet D',
    'A GetChangesAll D',
  );
}

/** Certificates usable by anyone who may name their holder. */
function weakly(directory: RandomDirectory): RandomDirectory {
  const [template, other] = directory.templates;
  const weak = { effectiveekus: [Oid.clientAuthentication], nosecurityextension: true };
  const usable = { ...weak, requiresmanagerapproval: false, enrolleesuppliessubject: false };
  const named = { subjectaltrequireupn: true, subjectaltrequiredns: false };
  return { ...directory, binding: 0, mapping: 31, templates: [{ ...template, ...usable, ...named }, other] };
}

function edgeTexts({ out, nodeCount }: AttackGraph): Set<string> {
  const texts = new Set<string>();
  for (let start = 0; start < nodeCount; start++)
    for (let at = out.offsets[start]; at < out.offsets[start + 1]; at++)
      texts.add(`${start} ${edgeKindById(out.kinds[at])?.name} ${out.neighbors[at]}`);
  return texts;
}

const ADDED_KINDS = [
  'MemberOf',
  'MemberOfLocalGroup',
  'RemoteInteractiveLogonRight',
  'GenericWrite',
] as const;

it('a series of changes leaves the edges that an analysis of the changed facts derives', () => {
  /** Rules that limited where their edges may differ, and kinds of derived edges that were added or removed. */
  const narrowed = new Map<string, number>();
  const moved = new Map<string, number>();
  const rules = RULES.map((rule): Rule => {
    const { changedEnds } = rule;
    if (changedEnds === undefined) return rule;
    return {
      ...rule,
      changedEnds: (context) => {
        const ends = changedEnds(context);
        if (ends !== undefined) narrowed.set(rule.name, (narrowed.get(rule.name) ?? 0) + 1);
        return ends;
      },
    };
  });
  fc.assert(
    fc.property(
      randomDirectories,
      fc.constantFrom('clean', 'parity'),
      fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom(...ADDED_KINDS), fc.nat(4)), {
        ...{ minLength: 1, maxLength: 4 },
      }),
      fc.boolean(),
      (directory, mode, picks, isWeak) => {
        const input = inputOf(directoryOf(isWeak ? weakly(directory) : directory, extend), mode);
        const analyzedGraph = (collected: AttackGraph): AttackGraph => {
          const list = new EdgeList();
          list.appendChunk(analyze({ ...input, graph: collected }).edges);
          return withEdges(collected, list);
        };
        let collected = input.graph;
        let last: { readonly removed: readonly EdgeRef[]; readonly added: readonly EdgeRef[] } | undefined;
        let after = new AnalysisContext({ ...input, graph: analyzedGraph(collected) });
        const { nodeCount } = collected;
        for (const [one, other, kind, choice] of picks) {
          const ofKind = collectedEdges(after).filter(
            (edge) => choice === 0 || edge.kind === EdgeKind.MemberOf,
          );
          const groups = after.nodesOf(kind === 'MemberOfLocalGroup' ? 'ADLocalGroup' : 'Group').toArray();
          const computers = after.nodesOf('Computer').toArray();
          const ends = kind === 'RemoteInteractiveLogonRight' ? computers : groups;
          const start = other % nodeCount;
          const end = ends[one % ends.length];
          const isThere = findEdge(after.graph, start, EdgeKind[kind], end) !== NO_EDGE;
          const next = {
            removed: choice === 3 ? [] : [ofKind[one % ofKind.length]].filter((edge) => edge !== undefined),
            added: choice < 2 || isThere ? [] : [{ start, kind: EdgeKind[kind], end }],
          };
          // Some changes revert the last one: the result equals the original state, not the previous one.
          const change =
            choice === 4 && last !== undefined ? { removed: last.added, added: last.removed } : next;
          last = change;
          collected = changeEdges(collected, change);
          const changed = applyChange(after, change, rules);
          for (const edge of changed.edges) {
            const name = edgeKindById(edge.kind)?.name as EdgeKindName;
            moved.set(name, (moved.get(name) ?? 0) + 1);
          }
          after = changed.context;
          const expected = edgeTexts(analyzedGraph(collected));
          const found = edgeTexts(after.graph);
          expect({
            tooMany: [...found].filter((edge) => !expected.has(edge)),
            tooFew: [...expected].filter((edge) => !found.has(edge)),
          }).toEqual({
            ...{ tooMany: [], tooFew: [] },
          });
        }
      },
    ),
    { numRuns: 60 * RUNS },
  );
  for (const name of ['CanRDP', 'SyncLAPSPassword', 'CoerceAndRelayNTLMToSMB']) {
    expect({ name, narrowed: (narrowed.get(name) ?? 0) > 50 }).toEqual({ name, narrowed: true });
    expect({ name, moved: (moved.get(name) ?? 0) > 2 }).toEqual({ name, moved: true });
  }
  for (const name of ['DCSync', 'ADCSESC9a', 'ADCSESC10a'])
    expect({ name, moved: (moved.get(name) ?? 0) > 0 }).toEqual({ name, moved: true });
}, 120_000);

it('a world that ended leaves nothing of it in later ones', () => {
  const shown = (before: AnalyzedWorld, after: AnalyzedWorld) => ({
    exposures: exposuresOf(after),
    moved: after.moved,
    findings: findingChangesOf(before, after),
    members: after.zones.map(({ members }) => [...members]),
  });
  fc.assert(
    fc.property(randomDirectories, fc.nat(), fc.nat(), (directory, first, second) => {
      const world = randomWorld(directory);
      findingsOf(world);
      const edges = collectedEdges(world.context);
      const changes = [first, second].map((at) => ({ removed: [edges[at % edges.length]] }));
      const expected = changes.map((change) => structuredClone(shown(world, changedWorld(world, change))));
      for (const at of [0, 1, 0, 1]) {
        const after = changedWorld(world, changes[at]);
        expect(structuredClone(shown(world, after))).toEqual(expected[at]);
        endWorld(after, [world]);
      }
    }),
    { numRuns: 40 },
  );
});

it('memberships and primary groups follow from those before, whatever groups changed', () => {
  let circles = 0;
  const unusual = new Set<number>();
  fc.assert(
    fc.property(
      randomDirectories,
      fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 3 }),
      (spec, picks) => {
        const { context } = randomWorld(spec);
        const groups = context.nodesOf('Group').toArray();
        const nodes = context.nodesOf('Base').toArray();
        let after = context;
        // A series of changes: each removes a membership and adds one.
        for (const [one, other] of picks) {
          const there = collectedEdges(after).filter(({ kind }) => kind === EdgeKind.MemberOf);
          const added = {
            ...{
              start: nodes[other % nodes.length],
              kind: EdgeKind.MemberOf,
              end: groups[one % groups.length],
              flags: other % 3 === 0 ? EdgeFlag.PrimaryGroup : 0,
            },
          };
          const removed = there.length === 0 ? [] : [there[one % there.length]];
          after = applyChange(after, { removed, added: [added] }).context;
          const [followed, worked] = [after.use(membership), new Membership(after)];
          for (const group of worked.groups) {
            expect([...followed.membersOf(group)]).toEqual([...worked.membersOf(group)]);
          }
          expect([...followed.circles]).toEqual([...worked.circles]);
          circles += worked.circles.size;
          const { graph, properties, edgeProperties, options } = after;
          const fresh = new AnalysisContext({ graph, properties, edgeProperties, options });
          const shownOf = (of: AnalysisContext) =>
            Object.values(of.use(primaryGroups)).map((accounts: NodeSet) => [...accounts]);
          expect(shownOf(after)).toEqual(shownOf(fresh));
          unusual.add(after.use(primaryGroups).notOfUsers.size);
          const common = after.use(commonMembers);
          for (const a of worked.groups)
            for (const b of worked.groups) {
              const both = NodeSet.union(context.graph.nodeCount, [
                worked.membersOf(a).and(worked.membersOf(b)),
                worked.membersOf(a).and(NodeSet.of(context.graph.nodeCount, [b])),
                worked.membersOf(b).and(NodeSet.of(context.graph.nodeCount, [a])),
                NodeSet.of(context.graph.nodeCount, a === b ? [a] : []),
              ]);
              expect([...common.of(a, b)]).toEqual([...both]);
            }
          const some = NodeSet.of(context.graph.nodeCount, [
            ...groups.slice(0, 1 + (other % groups.length)),
            nodes[0],
          ]);
          expect([...followed.expand(some)]).toEqual([...worked.expand(some)]);
        }
      },
    ),
    { numRuns: 40 },
  );
  expect(circles).toBeGreaterThan(0);
  expect(unusual.size).toBeGreaterThan(1);
});
