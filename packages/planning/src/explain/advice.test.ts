import { FINDING_TYPES, inheritanceSource } from '@clew/analysis';
import { contextOf, OTHER_SID, SID } from '@clew/analysis/testing';
import type { JsonObject } from '@clew/graph';
import { graphOf, type TestEdge } from '@clew/graph/testing';
import { EdgeFlag, EdgeKind, NodeKind, type NodeKindName } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { adviceFor } from './advice.ts';

const thing = (id: string, kind: NodeKindName, props: JsonObject = {}) => ({
  ...{ id, kinds: [NodeKind.Base, NodeKind[kind]], name: `NAME OF ${id}` },
  props: { domainsid: SID, ...props },
});

const NODES = [
  { ...thing(SID, 'Domain', { collected: true }), environment: SID },
  { ...thing(OTHER_SID, 'Domain', { domainsid: OTHER_SID, collected: true }), environment: OTHER_SID },
  thing(`${SID}-500`, 'User'),
  thing(`${SID}-501`, 'User'),
  thing(`${SID}-502`, 'User'),
  thing(`${SID}-512`, 'Group'),
  thing(`${SID}-513`, 'Group'),
  thing(`${SID}-1500`, 'User'),
  thing('GMSA', 'User', { gmsa: true }),
  thing('PC', 'Computer'),
  thing('FOREIGN', 'User', { domainsid: OTHER_SID }),
];

const EDGES: readonly TestEdge[] = [
  ['FOREIGN', EdgeKind.MemberOf, `${SID}-512`],
  [`${SID}-1500`, EdgeKind.MemberOf, `${SID}-512`, EdgeFlag.PrimaryGroup],
  [`${SID}-1500`, EdgeKind.MemberOf, `${SID}-513`],
];

function advice(finding: string, target: string, source?: string): string {
  const world = graphOf({ nodes: NODES, edges: EDGES });
  const type = FINDING_TYPES.findIndex(({ id }) => id === finding);
  expect(type).toBeGreaterThanOrEqual(0);
  return adviceFor(contextOf(world), {
    ...{ type, target: world.node(target) },
    ...(source !== undefined && { source: world.node(source), edgeKind: EdgeKind.GenericAll }),
  }).join('\n');
}

describe('advice', () => {
  it.each([
    ['PasswordNeverExpires', `${SID}-500`, 'is the built-in Administrator, which cannot be deleted'],
    ['GuestEnabled', `${SID}-501`, 'keep it disabled'],
    ['KrbtgtPasswordAge', `${SID}-502`, 'change its password twice'],
    ['Kerberoasting', 'GMSA', 'Windows chooses and changes its password'],
    ['Kerberoasting', 'PC', 'is a computer, which changes its own password'],
    ['NonDefaultPrimaryGroup', `${SID}-1500`, `is NAME OF ${SID}-512`],
  ])('of %s at %s is %s', (finding, target, text) => {
    expect(advice(finding, target)).toContain(text);
  });

  it('names the group and the domain of a member from another domain', () => {
    const text = advice('NestedForeignPrincipals', 'FOREIGN');
    for (const part of ['FOREIGN', OTHER_SID, `${SID}-512`]) expect(text).toContain(`NAME OF ${part}`);
  });

  it('of a right that everyone holds is to remove it from the group', () => {
    expect(advice('T0GenericAll', `${SID}-512`, `${SID}-513`)).toContain('contains nearly everyone');
  });

  it.each([
    ['PasswordNeverExpires', `${SID}-1500`],
    ['StaleComputers', 'PC'],
    ['UnconstrainedDelegationUsers', 'GMSA'],
    // A group may have the same id suffix as the account.
    ['CircularMembership', `${SID}-512`],
  ])('of %s at %s adds nothing to the remedy', (finding, target) => {
    expect(advice(finding, target)).toBe('');
  });

  it('of a single holder is empty', () => {
    expect(advice('T0GenericAll', `${SID}-512`, `${SID}-1500`)).toBe('');
  });
});

describe('the container that an inherited entry comes from', () => {
  const world = graphOf({
    nodes: ['TOP', 'MIDDLE', 'INNER', 'ACCOUNT', 'HOLDER'].map((id) =>
      thing(id, id.length < 7 ? 'OU' : 'User'),
    ),
    edges: [
      ['TOP', EdgeKind.Contains, 'MIDDLE'],
      ['MIDDLE', EdgeKind.Contains, 'INNER'],
      ['INNER', EdgeKind.Contains, 'ACCOUNT'],
      ['HOLDER', EdgeKind.GenericAll, 'TOP'],
      ['HOLDER', EdgeKind.GenericAll, 'MIDDLE', EdgeFlag.Inherited],
      ['HOLDER', EdgeKind.WriteDacl, 'INNER'],
    ],
  });
  const sourceOf = (kind: number): string | undefined => {
    const found = inheritanceSource(world.graph, {
      ...{ start: world.node('HOLDER'), kind, end: world.node('ACCOUNT') },
    });
    return found === undefined ? undefined : world.ids([found])[0];
  };

  it('is the nearest one with an entry of its own', () => {
    expect(sourceOf(EdgeKind.GenericAll)).toBe('TOP');
    expect(sourceOf(EdgeKind.WriteDacl)).toBe('INNER');
    expect(sourceOf(EdgeKind.GenericWrite)).toBeUndefined();
  });
});
