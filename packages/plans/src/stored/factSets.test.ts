/** The sets that can hold a fact: which ends and other objects report it. */
import { graphOf } from '@clew/graph/testing';
import { Aspect, EdgeFlag, EdgeKind, type EdgeKindName, NodeKind, type NodeKindName } from '@clew/model';
import { expect, it } from 'vitest';
import type { ChangeFacts } from '../tasks/startedFacts.ts';
import { factSets } from './factSets.ts';

const SID = 'S-1-5-21-1-2-3';
const [HOST, DC, GROUP] = [`${SID}-2001`, `${SID}-1000`, `${SID}-1101`];
const NODES: readonly (readonly [string, NodeKindName, string])[] = [
  [SID, 'Domain', 'CORP.EXAMPLE'],
  ['UNIT', 'OU', 'HOSTS@CORP.EXAMPLE'],
  ['INNER', 'OU', 'INNER@CORP.EXAMPLE'],
  [HOST, 'Computer', 'HOST'],
  [DC, 'Computer', 'DC'],
  [GROUP, 'Group', 'STAFF'],
  ['TEMPLATE', 'CertTemplate', 'AGENT'],
  ['CA', 'EnterpriseCA', 'CA'],
];
const EDGES: readonly (readonly [string, EdgeKindName, string])[] = [
  [SID, 'Contains', 'UNIT'],
  ['UNIT', 'Contains', 'INNER'],
  // A loop in hostile data.
  ['INNER', 'Contains', 'UNIT'],
  ['INNER', 'Contains', HOST],
  [DC, 'DCFor', SID],
  ['TEMPLATE', 'PublishedTo', 'CA'],
];
const { graph } = graphOf({
  nodes: NODES.map(([id, kind, name]) => ({
    ...{ id, name, environment: SID, kinds: [NodeKind.Base, NodeKind[kind]] },
  })),
  edges: EDGES.map(([start, kind, end]) => [start, EdgeKind[kind], end, 0] as const),
});

function setsOf(
  start: string,
  kind: string,
  end: string,
  { is_sample, ...more }: Partial<ChangeFacts> & { readonly is_sample?: true } = {},
  flags = 0,
): string[] {
  const relation = { start, kind, end, flags, ...(is_sample && { is_sample }) };
  const change = { title: '', removed: [relation], properties: [], ...more };
  const { sets, described } = factSets(graph, relation, change);
  const nameOf = new Map(Object.entries(Aspect).map(([name, id]) => [id, name]));
  return [
    ...sets.map(({ owner, aspect, enumeratedBy }) => [owner, nameOf.get(aspect), ...enumeratedBy].join(' ')),
    ...described,
  ].sort();
}

const POLICY = { title: 'Remove STAFF from Administrators of 2 computers in the group policy of HOSTS' };

it('are the units, computers and controllers of a local group', () => {
  const member = (end: string, more: Partial<ChangeFacts> = {}) =>
    setsOf(GROUP, 'MemberOfLocalGroup', end, more);
  const ofHost = `${HOST}-544 local-groups ${HOST}`;
  expect(member(`${HOST}-544`, { reporters: [] })).toEqual([ofHost]);
  expect(member(`${HOST}-544`, { reporters: ['UNIT'] })).toEqual([ofHost, 'UNIT gpo-changes']);
  expect(member(`${HOST}-544`)).toEqual([ofHost]);
  expect(member(`${HOST}-544`, POLICY)).toEqual(
    [ofHost, 'UNIT gpo-changes', 'INNER gpo-changes', `${SID} gpo-changes`].sort(),
  );
  for (const group of ['CORP.EXAMPLE-S-1-5-32-555', `${SID}-S-1-5-32-555`])
    expect(member(group)).toEqual([`${group} local-groups ${DC}`]);
  expect(member('OTHER.EXAMPLE-S-1-5-32-555')).toEqual(['OTHER.EXAMPLE-S-1-5-32-555 local-groups']);
});

it('are parts of both ends, or of another object, of other relationships', () => {
  expect(setsOf(GROUP, 'Enroll', 'CA')).toEqual(['CA acl', 'CA ca-acl']);
  expect(setsOf('UNIT', 'Contains', HOST)).toEqual([`${HOST} contained-by`, 'UNIT child-objects']);
  expect(setsOf(GROUP, 'DelegatedEnrollmentAgent', 'TEMPLATE')).toEqual(['CA enrollment-agents']);
  expect(setsOf(GROUP, 'DelegatedEnrollmentAgent', 'TEMPLATE', { reporters: ['OLD'] })).toEqual([
    'OLD enrollment-agents',
  ]);
  expect(setsOf(HOST, 'MemberOf', GROUP)).toEqual([`${GROUP} members`]);
  expect(setsOf(HOST, 'MemberOf', GROUP, {}, EdgeFlag.PrimaryGroup)).toEqual([`${HOST} primary-group`]);
  // A right on a shared group is in its own access list only.
  expect(setsOf(GROUP, 'GenericAll', 'CORP.EXAMPLE-S-1-5-32-544')).toEqual(['CORP.EXAMPLE-S-1-5-32-544 acl']);
});

it('are none of sessions and of relationships that no collector enumerates', () => {
  expect(setsOf(HOST, 'HasSession', GROUP)).toEqual([]);
  expect(setsOf(HOST, 'CustomKind', GROUP)).toEqual([]);
  expect(setsOf(GROUP, 'GenericAll', HOST, { is_sample: true })).toEqual([]);
  expect(setsOf('A', 'GoldenCert', 'B')).toEqual(['A', 'B']);
});
