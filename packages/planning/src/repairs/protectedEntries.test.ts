/** Entries of protected objects: copies of AdminSDHolder, own entries, or undecided. */
import { AnalysisContext, defaultOptions } from '@clew/analysis';
import { graphOf, type TestEdge } from '@clew/graph/testing';
import { EdgeFlag, EdgeKind, type EdgeKindName, NodeKind, type NodeKindName } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { protectionOf } from './protectedEntries.ts';

const SID = 'S-1-5-21-1-2-3';
const PROTECTED = { admincount: true, isaclprotected: true };

interface Facts {
  /** `START KIND END`: access list entries or other relations. */
  readonly facts: readonly string[];
  readonly objects?: readonly (readonly [id: string, kind: NodeKindName, props?: object])[];
  readonly withHolder?: boolean;
}

function protection(entry: string, { facts, objects = [], withHolder = true }: Facts) {
  const all = [
    [SID, 'Domain', { collected: true }],
    ['leaver', 'User', PROTECTED],
    ['plain', 'User', { admincount: false, isaclprotected: false }],
    [`${SID}-500`, 'User', PROTECTED],
    [`${SID}-512`, 'Group', PROTECTED],
    ['EVERYONE', 'Group'],
    ...(withHolder
      ? [['HOLDER', 'Container', { distinguishedname: 'CN=ADMINSDHOLDER,CN=SYSTEM,DC=A' }]]
      : []),
    ...objects,
  ] as const;
  const edges = [...facts, entry].map((fact): TestEdge => {
    const [start, kind, end] = fact.split(' ') as [string, EdgeKindName, string];
    const isEntry = !['MemberOf', 'ProtectAdminGroups'].includes(kind);
    return [start, EdgeKind[kind], end, isEntry ? EdgeFlag.Acl | EdgeFlag.HasAcl : 0];
  });
  const test = graphOf({
    nodes: (all as readonly (readonly [string, NodeKindName, object?])[]).map(([id, kind, props]) => ({
      ...{ id, name: id, props: { domainsid: SID, ...props }, environment: SID },
      kinds: [NodeKind.Base, NodeKind[kind]],
    })),
    edges,
  });
  const [start, kind, end] = entry.split(' ') as [string, EdgeKindName, string];
  const context = new AnalysisContext({ ...test, options: defaultOptions() });
  return protectionOf(context, [{ start: test.node(start), kind: EdgeKind[kind], end: test.node(end) }]);
}

const DEFAULTS = [`${SID}-512 WriteDacl HOLDER`, `${SID}-512 WriteDacl ${SID}-500`];

describe('an entry of a protected object', () => {
  it('is a copy where AdminSDHolder has it', () => {
    const facts = [...DEFAULTS, 'EVERYONE GenericAll HOLDER'];
    expect(protection('EVERYONE GenericAll leaver', { facts })).toBe('copied');
  });

  it('is its own where AdminSDHolder was collected and does not have it', () => {
    expect(protection('EVERYONE GenericAll leaver', { facts: DEFAULTS })).toBe('own');
    expect(protection('EVERYONE GenericAll leaver', { facts: ['EVERYONE WriteDacl HOLDER'] })).toBe('own');
  });

  it('is decided by an account that is always protected, for rights that collectors do not report of containers', () => {
    expect(protection('EVERYONE GenericWrite leaver', { facts: DEFAULTS })).toBe('own');
    const copied = [...DEFAULTS, `EVERYONE GenericWrite ${SID}-500`];
    expect(protection('EVERYONE GenericWrite leaver', { facts: copied })).toBe('copied');
    // Rights on groups do not show which rights on users are copied.
    expect(
      protection('EVERYONE GenericWrite leaver', {
        facts: [`${SID}-512 WriteDacl HOLDER`, `${SID}-500 WriteDacl ${SID}-512`],
      }),
    ).toBe('unknown');
  });

  it('is none where the right is not one of the access list', () => {
    for (const kind of ['Owns', 'ReadGMSAPassword'])
      expect(protection(`EVERYONE ${kind} leaver`, { facts: DEFAULTS })).toBeUndefined();
  });

  it('is undecided where neither list was collected', () => {
    expect(protection('EVERYONE GenericAll leaver', { facts: [] })).toBe('unknown');
    expect(protection('EVERYONE GenericAll leaver', { facts: [], withHolder: false })).toBe('unknown');
    // An administrator and AdminSDHolder of another domain.
    const other = 'S-1-5-21-4-5-6';
    expect(
      protection('EVERYONE GenericAll leaver', {
        facts: [`${SID}-512 WriteDacl ${other}-500`, `${SID}-512 WriteDacl OTHER`],
        objects: [
          [other, 'Domain', { collected: true, domainsid: other }],
          [`${other}-500`, 'User', { ...PROTECTED, domainsid: other }],
          ['OTHER', 'Container', { distinguishedname: 'CN=ADMINSDHOLDER,CN=SYSTEM,DC=B', domainsid: other }],
        ],
      }),
    ).toBe('unknown');
  });

  it('of a computer is decided by domain controllers', () => {
    const objects = [
      ['DC', 'Computer', PROTECTED],
      ['HOST', 'Computer', PROTECTED],
      [`${SID}-516`, 'Group', PROTECTED],
    ] as const;
    const facts = [`DC MemberOf ${SID}-516`, `${SID}-512 WriteDacl DC`];
    expect(protection('EVERYONE GenericWrite HOST', { facts, objects })).toBe('own');
  });

  it('is a copy where the collector found both lists the same', () => {
    const facts = ['HOLDER ProtectAdminGroups leaver'];
    expect(protection('EVERYONE GenericWrite leaver', { facts })).toBe('copied');
  });

  it('does not matter on another object, nor where it is the owner', () => {
    expect(protection('EVERYONE GenericAll plain', { facts: DEFAULTS })).toBeUndefined();
    expect(protection('EVERYONE Owns leaver', { facts: DEFAULTS })).toBeUndefined();
  });
});
