/** Inheritance from containers, units and policies, from the bytes of a collector to exposure, findings and lists. */

import { createLogger } from '@clew/common';
import type { Generation } from '@clew/generation';
import { ace, collection, groupRecord, ingestAll, upload, userRecord } from '@clew/intake/testing';
import { buildContext, buildGeneration } from '@clew/service/testing';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlanThreads } from './threadTable.ts';

const DOMAIN = 'S-1-5-21-7-7-7';
const sid = (rid: number): string => `${DOMAIN}-${rid}`;
const [HELP, HELP2, HELP3] = [sid(1101), sid(1102), sid(1103)];
const [ADM, T0B, T0ADM] = [sid(1201), sid(1202), sid(1203)];
const guid = (at: number): string => `00000000-0000-4000-8000-00000000000${at}`;
const [BASE, ADMINS, USERS, TIER0, POLICY] = [1, 2, 3, 4, 5].map(guid);

const named = (name: string, more: object = {}) => ({
  Properties: { name: `${name}@CORP.LOCAL`, domain: 'CORP.LOCAL', domainsid: DOMAIN, ...more },
});
const user = (id: string, name: string, isProtected: boolean) =>
  userRecord(id, {
    ...named(name, { enabled: true, isaclprotected: isProtected }),
    PrimaryGroupSID: sid(513),
  });
const place = (id: string, name: string, members: object) => ({
  ...{
    ObjectIdentifier: id,
    Aces: [],
    ChildObjects: [],
    Links: [],
    ...named(name, { isaclprotected: false }),
  },
  ...members,
});
const child = (id: string, type: string) => ({ ObjectIdentifier: id, ObjectType: type });
const fullControl = (id: string) => ({ ...ace(id, 'GenericAll'), PrincipalType: 'User' });

const files = [
  collection('domains', {
    ...place(DOMAIN, 'CORP.LOCAL', {
      ChildObjects: [child(BASE, 'OU'), child(USERS, 'Container'), child(TIER0, 'OU')],
    }),
    Properties: { name: 'CORP.LOCAL', domain: 'CORP.LOCAL', domainsid: DOMAIN, collected: true },
  }),
  collection(
    'ous',
    place(BASE, 'BASE', {
      ChildObjects: [child(ADMINS, 'OU')],
      Links: [{ GUID: POLICY, IsEnforced: false }],
    }),
    place(ADMINS, 'ADMINS', {
      ...named('ADMINS', { blocksinheritance: true }),
      ChildObjects: [child(T0ADM, 'User')],
    }),
    place(TIER0, 'TIER0', { ChildObjects: [child(T0B, 'User')], Aces: [fullControl(HELP3)] }),
  ),
  collection(
    'containers',
    place(USERS, 'USERS', { ChildObjects: [child(ADM, 'User')], Aces: [fullControl(HELP2)] }),
  ),
  collection('gpos', place(POLICY, 'POLICY', { Aces: [fullControl(HELP)] })),
  collection(
    'users',
    ...[HELP, HELP2, HELP3].map((id, at) => user(id, `HELP${at + 1}`, false)),
    ...[ADM, T0B, T0ADM].map((id, at) => user(id, ['ADM', 'T0B', 'T0ADM'][at] as string, true)),
  ),
  collection(
    'groups',
    groupRecord(sid(512), {
      ...named('DOMAIN ADMINS', { isaclprotected: true }),
      ...{ Members: [ADM, T0B, T0ADM].map((id) => child(id, 'User')) },
    }),
    groupRecord(sid(513), named('DOMAIN USERS')),
  ),
];

let database: Database;
let generation: Generation | undefined;

beforeAll(async () => {
  database = await startTestDatabase();
  await upload(database, ...files.map((content, at) => ({ name: `${at}.json`, content })));
  await ingestAll(database);
  await buildGeneration(buildContext(database, (made) => (generation = made)));
});

afterAll(() => database?.close());

describe('inheritance from containers, units and policies', () => {
  it('exposes Tier Zero to the one who controls the unit, and to no one else', async () => {
    expect(generation).toBeDefined();
    const postures = await database.db
      .selectFrom('posture_stat')
      .select(['exposure_index', 'principal_count'])
      .where('tag_id', '=', 1)
      .where('environment_id', '=', DOMAIN)
      .execute();
    expect(postures).toHaveLength(1);
    const [{ exposure_index, principal_count }] = postures;
    expect(Math.round(exposure_index * principal_count)).toBe(1);
    const findings = await database.db
      .selectFrom('finding')
      .select(['finding', 'source_id', 'target_id'])
      .where('tag_id', '=', 1)
      .where('kind', '=', 'relationship')
      .execute();
    expect(findings.map(({ finding, source_id, target_id }) => [finding, source_id, target_id])).toEqual([
      ['T0GenericAll', HELP3, TIER0.toUpperCase()],
    ]);
  });

  it('makes the plan name the right on the unit, and no change of objects that pass nothing on', async () => {
    const threads = new PlanThreads(
      {
        ...{ connection: database.connection, logLevel: 'silent', rules: 'clean' },
        ...{ costs: {}, efforts: {} },
      },
      createLogger('silent'),
    );
    try {
      const plan = await threads.users.run(
        generation as Generation,
        'zonePlan',
        {
          ...{ zone: 1, goal: 0, environments: [], within: [], ownedBy: null, costs: {} },
          ...{ constraints: [], previous: [] },
        },
        AbortSignal.timeout(30_000),
      );
      const changes = plan.cards.flatMap(({ packages }) => packages.flatMap((one) => one.references));
      expect(changes).toMatchObject([
        { kind: 'remove-permission', object_id: TIER0.toUpperCase(), principal_id: HELP3 },
      ]);
      expect(JSON.stringify(plan.cards)).not.toMatch(/Unlink|Move ADM/);
      const [before] = plan.before;
      expect([before?.exposed_count, plan.cards.at(-1)?.exposed_after]).toEqual([1, 0]);
      expect(plan.contradictions).toEqual({
        'card that the simulation contradicts': 0,
        'card without an effect': 0,
        'path that its card does not change': 0,
      });
    } finally {
      await threads.close();
    }
  });
});
