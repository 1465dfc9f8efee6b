/** Denied groups of a domain with all their members, and the service accounts among them. */
import { contextOf } from '@clew/analysis/testing';
import type { JsonObject } from '@clew/graph';
import { graphOf } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { affectedBy } from '../simulation/affected.ts';
import { deniedServices } from './deniedLogons.ts';
import type { Repair } from './repair.ts';

const SID = 'S-1-5-21-1-2-3';
const node = (id: string, kind: number, props: JsonObject = {}) => ({
  ...{ id, name: id, kinds: [NodeKind.Base, kind] },
  props: { domainsid: SID, ...props },
});

const test = graphOf({
  nodes: [
    node(SID, NodeKind.Domain),
    node(`${SID}-512`, NodeKind.Group),
    node(`${SID}-1200`, NodeKind.Group),
    node('ADMIN', NodeKind.User, { enabled: true }),
    node('NESTED', NodeKind.User, { enabled: true }),
    node('MANAGED', NodeKind.User, { enabled: true, gmsa: true }),
    node('OFF', NodeKind.User, { enabled: false, hasspn: true }),
    node('SQL', NodeKind.User, { enabled: true, hasspn: true }),
    node('OTHER', NodeKind.User, { enabled: true, hasspn: true }),
    node('HOST', NodeKind.Computer),
  ],
  edges: [
    ['ADMIN', EdgeKind.MemberOf, `${SID}-512`],
    ['MANAGED', EdgeKind.MemberOf, `${SID}-512`],
    ['OFF', EdgeKind.MemberOf, `${SID}-512`],
    [`${SID}-1200`, EdgeKind.MemberOf, `${SID}-512`],
    ['NESTED', EdgeKind.MemberOf, `${SID}-1200`],
    ['HOST', EdgeKind.HasSession, 'SQL'],
  ],
});
const context = contextOf(test);
const repair: Repair = {
  ...{ id: 'x', kind: 'separate-logons', object: test.node(SID), edgeKinds: ['HasSession'] },
  change: {
    removed: [{ start: test.node('HOST'), kind: EdgeKind.HasSession, end: test.node('SQL') }] as never,
    properties: [],
  },
};

describe('logons that are denied in a domain', () => {
  it('concern all members of the denied groups, not only accounts with an observed session', () => {
    // ADMIN, NESTED, MANAGED, OFF and SQL.
    expect(affectedBy(context, repair)).toEqual({
      count: 5,
      holders: [test.node(`${SID}-512`), test.node('SQL')],
    });
  });

  it('stop the services of enabled service accounts, each with its denied group', () => {
    expect(deniedServices(context, repair)).toEqual([
      { account: test.node('MANAGED'), group: test.node(`${SID}-512`) },
      { account: test.node('SQL'), group: undefined },
    ]);
  });
});
