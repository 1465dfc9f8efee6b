import { describe, expect, it } from 'vitest';
import { type KnownObject, mayBeWellKnown, wellKnownFacts, wellKnownIds } from './wellKnownGroups.ts';

const CORP = { sid: 'S-1-5-21-1', name: 'CORP.LOCAL' };
const nothing = (): undefined => undefined;

function edgesOf(known: (id: string) => KnownObject | undefined) {
  return wellKnownFacts([CORP], known).edges.map((edge) => `${edge.startId} ${edge.kind} ${edge.endId}`);
}

describe('wellKnownFacts', () => {
  it('makes the groups of a collected domain and links them', () => {
    const facts = wellKnownFacts([CORP], nothing);
    expect(facts.nodes).toHaveLength(12);
    expect(facts.nodes[0]).toEqual({
      objectId: 'CORP.LOCAL-S-1-1-0',
      kinds: ['Base', 'Group'],
      properties: {
        objectid: 'CORP.LOCAL-S-1-1-0',
        name: 'EVERYONE@CORP.LOCAL',
        domainsid: 'S-1-5-21-1',
        domain: 'CORP.LOCAL',
      },
      described: false,
    });
    expect(edgesOf(nothing)).toEqual([
      'S-1-5-21-1-513 MemberOf CORP.LOCAL-S-1-5-11',
      'S-1-5-21-1-515 MemberOf CORP.LOCAL-S-1-5-11',
      'CORP.LOCAL-S-1-5-11 MemberOf CORP.LOCAL-S-1-1-0',
      'CORP.LOCAL-S-1-1-0 ClaimSpecialIdentity CORP.LOCAL-S-1-5-2',
      'CORP.LOCAL-S-1-1-0 ClaimSpecialIdentity CORP.LOCAL-S-1-5-15',
      'CORP.LOCAL-S-1-1-0 ClaimSpecialIdentity CORP.LOCAL-S-1-5-65-1',
      'CORP.LOCAL-S-1-1-0 ClaimSpecialIdentity CORP.LOCAL-S-1-18-1',
      'CORP.LOCAL-S-1-1-0 ClaimSpecialIdentity CORP.LOCAL-S-1-18-4',
      'CORP.LOCAL-S-1-1-0 ClaimSpecialIdentity CORP.LOCAL-S-1-18-5',
      'CORP.LOCAL-S-1-1-0 ClaimSpecialIdentity CORP.LOCAL-S-1-5-64-10',
      'CORP.LOCAL-S-1-1-0 ClaimSpecialIdentity CORP.LOCAL-S-1-5-64-14',
    ]);
  });

  it('creates no known object, and marks objects as groups that are not yet marked', () => {
    const facts = wellKnownFacts([CORP], (id) => ({
      kinds: id.endsWith('-513') ? ['Base'] : ['Base', 'Group'],
    }));
    expect(facts.nodes).toEqual([
      { objectId: 'S-1-5-21-1-513', kinds: ['Base', 'Group'], properties: {}, described: false },
    ]);
  });

  it('links Guest only where it is known, and lets everybody claim it only while enabled', () => {
    const guest = (enabled?: boolean) => (id: string) =>
      id === 'S-1-5-21-1-501' ? { kinds: ['Base', 'User'], enabled } : undefined;
    const guestEdges = (enabled?: boolean) => edgesOf(guest(enabled)).filter((edge) => edge.includes('-501'));
    const member = 'S-1-5-21-1-501 MemberOf CORP.LOCAL-S-1-1-0';
    expect(edgesOf(nothing).some((edge) => edge.includes('-501'))).toBe(false);
    expect(guestEdges()).toEqual([member]);
    expect(guestEdges(false)).toEqual([member]);
    expect(guestEdges(true)).toEqual([member, 'CORP.LOCAL-S-1-1-0 ClaimSpecialIdentity S-1-5-21-1-501']);
  });

  it('gives the logon packages the ids of Windows, and links older ids where objects have them', () => {
    const packages = [
      'CORP.LOCAL-S-1-1-0 ClaimSpecialIdentity CORP.LOCAL-S-1-5-64-10',
      'CORP.LOCAL-S-1-1-0 ClaimSpecialIdentity CORP.LOCAL-S-1-5-64-14',
    ];
    expect(edgesOf(nothing).slice(-2)).toEqual(packages);
    const old = (id: string) => (id.endsWith('-S-1-64-14') ? { kinds: ['Base', 'Group'] } : undefined);
    expect(edgesOf(old).slice(-3)).toEqual([
      ...packages,
      'CORP.LOCAL-S-1-1-0 ClaimSpecialIdentity CORP.LOCAL-S-1-64-14',
    ]);
  });

  it('passes over a domain without a name and goes on with the next', () => {
    const facts = wellKnownFacts([{ sid: 'S-1-5-21-2', name: undefined }, CORP], nothing);
    expect(facts.warnings).toEqual([
      'the collected domain S-1-5-21-2 has no name: its well-known groups are not linked',
    ]);
    expect(facts.nodes).toHaveLength(12);
  });

  it('makes the special groups of two domains of one name once, and says so', () => {
    const twin = { sid: 'S-1-5-21-9', name: CORP.name.toLowerCase() };
    const { nodes, edges, warnings } = wellKnownFacts([CORP, twin], nothing);
    const ids = nodes.map(({ objectId }) => objectId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('S-1-5-21-9-513');
    expect(
      edges.some(({ startId, endId }) => startId === 'S-1-5-21-9-513' && endId === 'CORP.LOCAL-S-1-5-11'),
    ).toBe(true);
    expect(warnings).toEqual([
      'the collected domains S-1-5-21-1 and S-1-5-21-9 have the same name, CORP.LOCAL: they share special groups',
    ]);
  });

  it('asks about no other ids than it says', () => {
    const ids = new Set(wellKnownIds([CORP]));
    const asked: string[] = [];
    const record = (id: string) => {
      asked.push(id);
      return undefined;
    };
    wellKnownFacts([CORP], record);
    expect(asked.filter((id) => !ids.has(id))).toEqual([]);
    expect(ids.size).toBe(15);
  });

  it('takes none of the ids that it asks about for another', () => {
    for (const id of wellKnownIds([CORP])) expect([id, mayBeWellKnown(id)]).toEqual([id, true]);
    for (const id of [CORP.sid, `${CORP.sid}-1101`, 'D1E2F3A4-0000-4000-8000-00000000A001'])
      expect([id, mayBeWellKnown(id)]).toEqual([id, false]);
  });
});
