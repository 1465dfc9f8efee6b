/** Members that group policies add to local groups, from the bytes of a collector to evidence, what-if and the plan. */

import { createLogger } from '@clew/common';
import type { Generation } from '@clew/generation';
import { collection, computerRecord, groupRecord, ingestAll, upload, userRecord } from '@clew/intake/testing';
import { EdgeKind } from '@clew/model';
import { buildContext, buildGeneration } from '@clew/service/testing';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConstraintFacts } from '../tasks/constraints.ts';
import { PlanThreads } from './threadTable.ts';

const DOMAIN = 'S-1-5-21-7-7-7';
const sid = (rid: number): string => `${DOMAIN}-${rid}`;
const [ADM, STAFF] = [sid(1101), sid(1102)];
const CLERKS = Array.from({ length: 8 }, (_, at) => sid(1103 + at));
const HOSTS = [sid(2001), sid(2002), sid(2003)];
const guid = (at: number): string => `00000000-0000-4000-8000-00000000000${at}`;
const [COMPUTERS, BELOW] = [1, 2].map(guid) as [string, string];

const named = (name: string, more: object = {}) => ({
  Properties: { name: `${name}@CORP.LOCAL`, domain: 'CORP.LOCAL', domainsid: DOMAIN, ...more },
});
const child = (id: string, type: string) => ({ ObjectIdentifier: id, ObjectType: type });
const unit = (id: string, name: string, hosts: readonly string[]) => ({
  ...{ ObjectIdentifier: id, Aces: [], ChildObjects: [], Links: [], ...named(name) },
  GPOChanges: {
    ...{ RemoteDesktopUsers: [], DcomUsers: [], PSRemoteUsers: [] },
    LocalAdmins: [child(STAFF, 'Group')],
    AffectedComputers: hosts.map((id) => child(id, 'Computer')),
  },
});

const collected = (results: readonly object[]) => ({
  Collected: true,
  FailureReason: null,
  Results: results,
});
const files = [
  collection('domains', {
    ...{ ObjectIdentifier: DOMAIN, Aces: [], ChildObjects: [], Links: [], Trusts: [] },
    Properties: { name: 'CORP.LOCAL', domain: 'CORP.LOCAL', domainsid: DOMAIN, collected: true },
  }),
  // Two policies give the first host the same member, so a change of one policy does not remove the member permanently.
  collection('ous', unit(COMPUTERS, 'COMPUTERS', HOSTS), unit(BELOW, 'BELOW', HOSTS.slice(0, 1))),
  collection(
    'computers',
    ...HOSTS.map((id, at) =>
      computerRecord(id, {
        ...named(`HOST${at + 1}`, { enabled: true }),
        // An administrator is logged on everywhere.
        Sessions: collected([{ UserSID: ADM, ComputerSID: id }]),
      }),
    ),
  ),
  collection(
    'users',
    userRecord(ADM, { ...named('ADM', { enabled: true }), PrimaryGroupSID: sid(513) }),
    ...CLERKS.map((id, at) =>
      userRecord(id, { ...named(`CLERK${at}`, { enabled: true }), PrimaryGroupSID: sid(513) }),
    ),
  ),
  collection(
    'groups',
    groupRecord(sid(512), { ...named('DOMAIN ADMINS'), Members: [child(ADM, 'User')] }),
    groupRecord(sid(513), named('DOMAIN USERS')),
    groupRecord(STAFF, { ...named('STAFF'), Members: CLERKS.map((id) => child(id, 'User')) }),
  ),
];

const REPAIR = {
  kind: 'remove-policy-member',
  ...{ object_id: COMPUTERS, principal_id: STAFF, relations: ['MemberOfLocalGroup', 'AdminTo'] },
};

let database: Database;
let generation: Generation;
let threads: PlanThreads;

beforeAll(async () => {
  database = await startTestDatabase();
  await upload(database, ...files.map((content, at) => ({ name: `${at}.json`, content })));
  await ingestAll(database);
  await buildGeneration(buildContext(database, (made) => (generation = made)));
  threads = new PlanThreads(
    {
      ...{ connection: database.connection, logLevel: 'silent', rules: 'clean' },
      ...{ costs: {}, efforts: {} },
    },
    createLogger('silent'),
  );
});

afterAll(async () => {
  await threads?.close();
  await database?.close();
});

const planOf = (constraints: readonly ConstraintFacts[]) =>
  threads.users.run(
    generation,
    'zonePlan',
    {
      ...{ zone: 1, goal: 0, environments: [], within: [], ownedBy: null, costs: {} },
      ...{ constraints, previous: [] },
    },
    AbortSignal.timeout(30_000),
  );
const kindsIn = ({ cards }: Awaited<ReturnType<typeof planOf>>): string[] =>
  cards.flatMap(({ packages }) => packages.flatMap((one) => one.references.map(({ kind }) => kind)));

describe('a member of local groups from policies', () => {
  it('is one change in the plan, which names the units, the group and the computers', async () => {
    // Otherwise the plan would first end all logons of Tier Zero on other hosts.
    const logons = ['separate-logons', 'keep-off'].map((repair_kind) => ({
      ...{ subject: 'kind' as const, repair_kind, repairs: null, object_id: null },
    }));
    const plan = await planOf(logons);
    const [card] = plan.cards;
    const [change] = card?.packages ?? [];
    expect(change?.references).toEqual([REPAIR]);
    expect(change?.title).toBe(
      'Remove STAFF@CORP.LOCAL from Administrators of 3 computers in the group policy of COMPUTERS@CORP.LOCAL and BELOW@CORP.LOCAL',
    );
    expect(kindsIn(plan)).not.toContain('remove-local-member');
  });

  it('is the change that the evidence of a derived relationship names', async () => {
    const asked = {
      ...{ finding: 'T0Admins', source_id: STAFF, target_id: HOSTS[1] as string },
      ...{ edge_kind: EdgeKind.AdminTo, zone: 1, constraints: [], seen: null },
    };
    const { repairs } = await threads.users.run(generation, 'evidence', asked, AbortSignal.timeout(30_000));
    expect(repairs.map(({ repair }) => repair)).toEqual([REPAIR]);
    expect(repairs[0]?.title).toContain('in the group policy of COMPUTERS@CORP.LOCAL and BELOW@CORP.LOCAL');
    expect(repairs[0]?.change_count).toBe(3);
  });

  it('is removed from all of its computers in what-if', async () => {
    const simulated = (repairs: readonly object[]) =>
      threads.users.run(
        generation,
        'simulate',
        { request: { repairs } as never, seen: null },
        AbortSignal.timeout(30_000),
      );
    const { shown } = await simulated([REPAIR]);
    const exposed = (list: typeof shown.before) => list.reduce((sum, one) => sum + one.exposed_count, 0);
    expect(exposed(shown.before)).toBeGreaterThan(exposed(shown.after));
    // A question about one host is still answered: STAFF is an administrator of the other two.
    const alone = {
      kind: 'remove-local-member',
      ...{ object_id: `${HOSTS[0]}-544`, principal_id: STAFF, relations: ['MemberOfLocalGroup'] },
    };
    const { shown: one } = await simulated([alone]);
    expect(exposed(one.after)).toBe(exposed(one.before));
  });

  it('has the units that report it in a started plan, and other members of local groups have none', async () => {
    const ofHost = {
      kind: 'remove-local-member',
      ...{ object_id: `${HOSTS[0]}-544`, principal_id: STAFF, relations: ['MemberOfLocalGroup'] },
    };
    const ofGroup = {
      kind: 'remove-member',
      ...{ object_id: STAFF, principal_id: CLERKS[0] as string, relations: ['MemberOf'] },
    };
    const plan = await threads.users.run(
      generation,
      'startedPlan',
      {
        ...{ zone: 1, cards: [] },
        packages: [REPAIR, ofHost, ofGroup].map((one) => ({ key: '', title: '', references: [one] })),
      },
      AbortSignal.timeout(30_000),
    );
    const [policy, host, group] = plan.packages.map(({ changes }) => changes[0]);
    expect(policy?.title).toMatch(/^Remove .+ in the group policy of ./);
    expect(policy?.reporters).toEqual([COMPUTERS, BELOW]);
    expect(host?.reporters).toEqual([COMPUTERS, BELOW]);
    expect(group).not.toHaveProperty('reporters');
  });

  it('stays where one of its computers, or the unit, cannot be changed', async () => {
    for (const object_id of [HOSTS[2] as string, COMPUTERS]) {
      const plan = await planOf([{ subject: 'object', object_id, repairs: null, repair_kind: null }]);
      expect(kindsIn(plan).filter((kind) => kind.endsWith('-member'))).toEqual([]);
      expect(plan.cards.length).toBeGreaterThan(0);
    }
  });
});
