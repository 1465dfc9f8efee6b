/** The administrators that plans keep: one enabled holder of each group, role and environment, whatever else a plan removes. */
import { AnalysisContext, defaultOptions } from '@clew/analysis';
import { type DeclaredKinds, findEdge, type JsonObject, NO_EDGE, NOTHING_DECLARED } from '@clew/graph';
import { graphOf, type TestEdge } from '@clew/graph/testing';
import { EdgeKind, type EdgeKindName, NodeKind, type NodeKindName } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { removesKeptAdministrator, withoutAdministrator } from './lastAdministrators.ts';
import { RepairCatalog, ruleKinds } from './repairs.ts';

const SID = 'S-1-5-21-1-2-3';
const TENANT = '00000009-AAAA-BBBB-CCCC-DDDDDDDDDDDD';
const ORGANIZATION = 'ORG1';
const DA = `${SID}-512`;
const ROLE = `62E90394-69F5-4237-9190-012177145E10@${TENANT}`;
const KINDS: Readonly<Record<string, number>> = {
  ORG: 2001,
  U: 2002,
  R: 2003,
  Owns: 1001,
  Resets: 1002,
  Has: 1003,
};
const PLATFORM: DeclaredKinds = {
  ...NOTHING_DECLARED,
  environments: [{ kind: 2001, name: 'Org', principals: [2002], family: 'P' }],
  steps: [
    { kind: 1001, name: 'P_Owns', effort: 0, reason: '', family: 'P' },
    { kind: 1002, name: 'P_Resets', effort: 2, reason: '', family: 'P' },
    { kind: 1003, name: 'P_Has', effort: 0, reason: '', family: 'P' },
  ],
};

type Fact = readonly [start: string, kind: string, end: string];

const kindOf = (id: string): number => {
  const known = NODE_KINDS.find(([pattern]) => pattern.test(id))?.[1] ?? 'Group';
  return KINDS[id.replace(/\d+$/, '')] ?? NodeKind[known];
};

const NODE_KINDS: readonly (readonly [pattern: RegExp, kind: NodeKindName])[] = [
  [/^C\d/, 'AZUser'],
  [/^SP/, 'AZServicePrincipal'],
  [/^SUB/, 'AZSubscription'],
  [/^62E90394/, 'AZRole'],
  [/^0000/, 'AZTenant'],
  [/-3$/, 'Domain'],
  [/^u/, 'User'],
];

const environmentOf = (id: string): string =>
  /^(U|R|ORG)\d/.test(id) ? ORGANIZATION : /^(C|SP|SUB|62E|0000)/.test(id) ? TENANT : SID;

/** @returns the relations that a plan never removes, and for each relation what no one administers after it */
function keptIn(facts: readonly Fact[], props: Readonly<Record<string, JsonObject>> = {}) {
  const numberOf = (kind: string): number => KINDS[kind] ?? EdgeKind[kind as EdgeKindName];
  const ids = [...new Set([...facts.flatMap(([start, , end]) => [start, end]), SID, TENANT, ORGANIZATION])];
  const test = graphOf({
    nodes: ids.map((id) => ({
      ...{ id, kinds: [kindOf(id)], environment: environmentOf(id) },
      props: { ...(environmentOf(id) === SID ? { domainsid: SID } : { tenantid: TENANT }), ...props[id] },
    })),
    edges: facts.map(([start, kind, end]): TestEdge => [start, numberOf(kind), end]),
  });
  const graph = { ...test.graph, declared: PLATFORM };
  const { properties, edgeProperties } = test;
  const context = new AnalysisContext({ graph, properties, edgeProperties, options: defaultOptions() });
  const catalog = new RepairCatalog(context, ruleKinds());
  const kept: string[] = [];
  const last: string[] = [];
  for (const [start, kind, end] of facts) {
    const edge = { start: test.node(start), kind: numberOf(kind), end: test.node(end) };
    expect(findEdge(graph, edge.start, edge.kind, edge.end)).not.toBe(NO_EDGE);
    const repair = catalog.repairs[catalog.ofEdge(edge, 0) as number]!;
    if (removesKeptAdministrator(context, repair)) kept.push(`${start} ${kind} ${end}`);
    const left = withoutAdministrator(context, repair);
    if (left !== undefined) last.push(`${start} ${kind} ${end}`);
  }
  return { kept, last };
}

describe('a plan keeps', () => {
  it('one person of a group of administrators, with the groups between them', () => {
    const facts: Fact[] = [
      ['u1', 'MemberOf', DA],
      ['g1', 'MemberOf', DA],
      ['u2', 'MemberOf', 'g1'],
    ];
    expect(keptIn(facts)).toEqual({ kept: [`u1 MemberOf ${DA}`], last: [] });
    expect(keptIn(facts.slice(1))).toEqual({
      kept: [`g1 MemberOf ${DA}`, 'u2 MemberOf g1'],
      last: [`g1 MemberOf ${DA}`, 'u2 MemberOf g1'],
    });
  });

  it('a person rather than a service account, and no disabled account', () => {
    const facts: Fact[] = [
      ['u1', 'MemberOf', DA],
      ['u2', 'MemberOf', DA],
    ];
    expect(keptIn(facts, { u1: { hasspn: true } }).kept).toEqual([`u2 MemberOf ${DA}`]);
    expect(keptIn(facts, { u1: { enabled: false } })).toEqual({
      kept: [`u2 MemberOf ${DA}`],
      last: [`u2 MemberOf ${DA}`],
    });
    expect(keptIn(facts, { u1: { enabled: false }, u2: { enabled: false } }).kept).toEqual([]);
    expect(keptIn(facts.slice(0, 1), { u1: { hasspn: true } }).last).toEqual([`u1 MemberOf ${DA}`]);
  });

  it.each(['-512', '-519'])('a member of the group %s, but not of other groups', (end) => {
    expect(keptIn([['u1', 'MemberOf', `${SID}${end}`]]).last).toHaveLength(1);
    expect(keptIn([['u1', 'MemberOf', `${SID}-518`]]).kept).toEqual([]);
  });

  it('a member of Administrators of a domain', () => {
    expect(keptIn([['u1', 'MemberOf', 'G.EXAMPLE-S-1-5-32-544']]).last).toHaveLength(1);
  });

  it('an active Global Administrator before an eligible one, and a user before an application', () => {
    expect(
      keptIn([
        ['C1', 'AZRoleEligible', ROLE],
        ['C2', 'AZHasRole', ROLE],
        ['SP1', 'AZHasRole', ROLE],
      ]),
    ).toEqual({ kept: [`C2 AZHasRole ${ROLE}`], last: [] });
    expect(keptIn([['C1', 'AZRoleEligible', ROLE]]).last).toEqual([`C1 AZRoleEligible ${ROLE}`]);
    expect(
      keptIn([
        ['C1', 'AZHasRole', ROLE],
        ['C1', 'AZGlobalAdmin', TENANT],
      ]).kept,
    ).toHaveLength(2);
  });

  it('an owner of a subscription', () => {
    expect(
      keptIn([
        ['C1', 'AZOwner', 'SUB1'],
        ['C1', 'AZContributor', 'SUB1'],
      ]),
    ).toEqual({ kept: ['C1 AZOwner SUB1'], last: ['C1 AZOwner SUB1'] });
  });

  it('an administrator of another platform, and not an attacker', () => {
    expect(
      keptIn([
        ['U1', 'Has', 'R1'],
        ['R1', 'Owns', 'ORG1'],
        ['U2', 'Resets', 'ORG1'],
        ['U2', 'Resets', 'U1'],
      ]),
    ).toEqual({ kept: ['U1 Has R1', 'R1 Owns ORG1'], last: [] });
    expect(
      keptIn([
        ['U1', 'Owns', 'ORG1'],
        ['U2', 'Owns', 'ORG1'],
      ]).kept,
    ).toHaveLength(1);
  });
});

it('keeps no right on such a group', () => {
  expect(keptIn([['u1', 'GenericAll', DA]])).toEqual({ kept: [], last: [] });
});
