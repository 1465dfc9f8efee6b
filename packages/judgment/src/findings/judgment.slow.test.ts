/**
 * Objections of an independent review of findings, paragraph by paragraph, on small directories through the real service: no harmful
 * advice, ratings, one fact in one row, false findings, evidence, and missing types.
 */

import { ServiceUnderTest } from '@clew/service/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  AGENT,
  APPLICATION,
  AUTHENTICATED,
  AUTHORITY,
  BACKUP,
  BASELINE,
  CA_ADMINS,
  COERCIBLE,
  CONNECTOR,
  DELEGATE,
  EXCHANGE,
  evident,
  FIRST_SCHEMA,
  FOREIGN,
  GRAPH,
  governed,
  HELPERS,
  HOST12,
  harm,
  INNER,
  judgedFiles,
  LOCAL,
  LOCAL_ADMINS,
  MACHINE,
  MEMBER_SERVER,
  missing,
  NAMED_GROUP,
  NARROW,
  OPEN,
  OUTER,
  OWN_WAY,
  PC,
  PUBLISHER,
  ROASTED,
  ratings,
  relayed,
  SERVER_ADMINS,
  SOMEBODY,
  SYNC_ADMINS,
  SYNC_SERVER,
  TENANT,
  TRUST_ACCOUNT,
  UNENCRYPTED,
  UNNAMED_GROUP,
  USERS,
  untrue,
  WIDE,
} from '../../test/findings/judgedDomains.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas by the service under test.
type Json = any;

let test: ServiceUnderTest;
let rows: readonly Json[] = [];
/** Includes parts. */
let all: readonly Json[] = [];

beforeAll(async () => {
  test = await ServiceUnderTest.start();
  const id = await test.upload(...judgedFiles());
  const job = async () => (await test.data('GET', `file-upload?id=eq:${id}`))[0];
  expect((await job()).status).toBe(2);
  await vi.waitUntil(async () => (await test.call('GET', 'plan')).json.data?.computing === null, {
    timeout: 100_000,
  });
  // Places in the list are assigned after the plan is stored.
  await vi.waitUntil(
    async () => {
      rows = (await test.call('GET', 'attack-paths/findings?limit=1000&sort_by=urgency')).json.data;
      return rows.some(({ closed_by }) => closed_by !== undefined);
    },
    { timeout: 100_000, interval: 100 },
  );
  const types = [...new Set(rows.flatMap(({ finding, parts = [] }) => [finding, ...parts]))];
  const lists = await Promise.all(
    types.map((type) => test.call('GET', `attack-paths/findings?limit=1000&finding=eq:${type}`)),
  );
  all = lists.flatMap(({ json }) => json.data);
}, 120_000);
afterAll(() => test?.stop());

interface Ends {
  readonly source?: string;
  readonly target?: string;
}

const found = (type: string, { source, target }: Ends = {}) =>
  all.filter(
    (row) =>
      row.finding === type &&
      (source === undefined || row.source_principal_id === source) &&
      (target === undefined || row.target_principal_id === target),
  );

function theOnly(type: string, ends: Ends = {}): Json {
  const some = found(type, ends);
  expect([type, ends, some.length]).toEqual([type, ends, 1]);
  return some[0];
}

const evidenceOf = (row: Json): Promise<Json> => test.data('GET', `attack-paths/findings/${row.id}/evidence`);

/** `kind object principal` of each repair. */
const repairsOf = ({ repairs }: Json): string[] =>
  repairs.map(({ repair }: Json) =>
    [repair.kind, repair.object_id, repair.principal_id].filter(Boolean).join(' '),
  );

/** `source KIND target` of each relation. */
const relationsOf = ({ relations }: Json): string[] =>
  relations.map(({ source, kind, target }: Json) => `${source.object_id} ${kind} ${target.object_id}`);

describe('3: changes do no harm', () => {
  it('of a nested foreign principal it is the one membership that the finding objects to', async () => {
    const evidence = await evidenceOf(theOnly('NestedForeignPrincipals', { target: FOREIGN }));
    expect(relationsOf(evidence)).toEqual([`${FOREIGN} MemberOf ${harm.id(512)}`]);
    expect(repairsOf(evidence)).toEqual([`remove-member ${harm.id(512)} ${FOREIGN}`]);
  });

  it('of Pre-Windows 2000 Compatible Access it leaves the computer of the authority', async () => {
    const group = harm.wellKnown('S-1-5-32-554');
    const evidence = await evidenceOf(theOnly('PreWindows2000Access', { target: group }));
    expect(repairsOf(evidence)).toEqual([`remove-member ${group} ${harm.wellKnown(AUTHENTICATED)}`]);
  });

  it('of a connector account it is never the replication, and the account belongs into Tier Zero', async () => {
    const row = theOnly('NonT0DCSyncers', { source: CONNECTOR });
    const evidence = await evidenceOf(row);
    expect(repairsOf(evidence)).toEqual([]);
    expect(evidence.advice.join(' ')).toMatch(/password hash synchroni[sz]ation/);
    expect(row.part_of).toBe('ProbablyTierZero');
    expect(repairsOf(await evidenceOf(theOnly('ProbablyTierZero', { target: CONNECTOR })))).toEqual([]);
  });

  it('of certificate binding says that updates since September 2025 ignore the value', async () => {
    const evidence = await evidenceOf(theOnly('DCWeakCertificateBinding', { target: harm.id(1002) }));
    expect(evidence.advice.join(' ')).toContain('September 2025');
  });

  it('of every list finding it is about relations that the evidence shows', async () => {
    const lists = rows.filter(({ finding_type }) => finding_type === 'list');
    expect(lists.length).toBeGreaterThan(20);
    for (const row of lists) {
      const evidence = await evidenceOf(row);
      const ends = new Set([
        row.target_principal_id,
        row.environment_id,
        ...relationsOf(evidence).flatMap((one) => one.split(' ')),
      ]);
      const strange = evidence.repairs.filter(
        ({ repair }: Json) =>
          ![repair.object_id, repair.principal_id ?? repair.object_id].every((id) => ends.has(id)),
      );
      expect([row.finding, strange]).toEqual([row.finding, []]);
    }
  });
});

describe('4: ratings', () => {
  it('of a template open to Authenticated Users are as those of one open to Domain Users', () => {
    for (const target of [WIDE, NARROW])
      expect(theOnly('TemplateESC1', { target })).toMatchObject({ severity: 'critical' });
  });

  it('with such a template are high for an empty password of an administrator and for an account over one', () => {
    expect(theOnly('PasswordNotRequired', { target: ratings.id(1101) }).severity).toBe('high');
    const roasted = found('Kerberoasting', { target: ROASTED });
    expect(roasted.map(({ severity }) => severity)).toEqual(['high']);
  });

  it('of direct control of Tier Zero by an ordinary user are high at least', () => {
    for (const [type, target] of [
      ['NonT0DCSyncers', ratings.sid],
      ['T0WriteDACL', ratings.id(1105)],
    ])
      expect([type, theOnly(type, { source: SOMEBODY, target }).severity]).toEqual([type, 'high']);
  });

  it('are one row for all flags of an account of Tier Zero', () => {
    const flags = ['T0PasswordNeverExpires', 'T0MarkSensitive', 'T0UserNotProtected', 'PasswordNeverExpires'];
    const shown = rows.filter(
      (row) => row.target_principal_id === ratings.id(1101) && flags.includes(row.finding),
    );
    expect(shown.map(({ finding }) => finding)).toEqual(['T0PasswordNeverExpires']);
    expect(shown[0].parts.length).toBeGreaterThan(1);
  });

  it('are one row for unconstrained delegation and the ticket that it leads to', () => {
    const about = rows.filter((row) =>
      [row.source_principal_id, row.target_principal_id].includes(ratings.id(1201)),
    );
    const same = about.filter(({ finding }) => /^(T0CoerceToTGT|UnconstrainedDelegation)/.test(finding));
    expect(same.map(({ finding }) => finding)).toEqual(['T0CoerceToTGT']);
  });
});

describe('5: the list', () => {
  it('begins with the findings that the plan closes, with the repair, and the exposure after it', () => {
    expect(rows[0].closed_by).toMatch(/^closed by card \d+ of the plan: afterward, [\d.]+% are exposed$/);
    const severe = rows.filter(
      (row) => row.finding_type === 'relationship' && ['critical', 'high'].includes(row.severity),
    );
    expect(severe.length).toBeGreaterThan(3);
    for (const row of severe)
      expect([row.finding, row.closed_by ?? row.not_closed]).toEqual([row.finding, expect.any(String)]);
  });

  it('groups by repair, without a finding in two groups', async () => {
    const groups = (await test.call('GET', 'attack-paths/finding-groups?by=repair&limit=1000')).json;
    expect(groups.data.length).toBeGreaterThan(9);
    const sum = groups.data.reduce((count: number, group: Json) => count + group.count, 0);
    expect(sum).toBe(rows.length);
    const named = groups.data.filter(({ repair }: Json) => repair !== undefined);
    expect(named.map(({ repair, count }: Json) => [repair, count])).toContainEqual([
      `Require encrypted requests on CA CA 10@${relayed.name}`,
      2,
    ]);
  });

  it('repeats no object and fact', () => {
    const facts = rows.map(
      (row) => `${row.finding} ${row.environment_id} ${row.source_principal_id} ${row.target_principal_id}`,
    );
    expect(new Set(facts).size).toBe(facts.length);
    for (const [whole, part] of [
      ['T0PasswordNeverExpires', 'PasswordNeverExpires'],
      ['T0MarkSensitive', 'T0UserNotProtected'],
      ['T0StaleUsers', 'StaleUsers'],
    ]) {
      const objects = rows.filter(({ finding }) => finding === whole).map((row) => row.target_principal_id);
      const twice = rows.filter((row) => row.finding === part && objects.includes(row.target_principal_id));
      expect([part, twice.length]).toEqual([part, 0]);
    }
  });
});

describe('the list of one zone', () => {
  const ofZone = async (zone: number): Promise<readonly Json[]> =>
    (await test.call('GET', `attack-paths/findings?limit=1000&asset_group_tag_id=eq:${zone}`)).json.data;
  const ids = (some: readonly Json[]) => some.map(({ id }) => id).sort((a, b) => a - b);

  it('shows parts that a finding of another zone represents, and no others', async () => {
    const zoneOf = new Map(rows.map((row) => [row.finding, row.asset_group_tag_id]));
    for (const zone of [0, 1]) {
      const own = all.filter((row) => row.asset_group_tag_id === zone);
      const [wholes, parts] = [own.filter((row) => !row.part_of), own.filter((row) => row.part_of)];
      const shown = parts.filter(({ part_of }) => zoneOf.get(part_of) !== zone);
      expect([zone, ids(await ofZone(zone))]).toEqual([zone, ids([...wholes, ...shown])]);
      expect([zone, parts.length > shown.length]).toEqual([zone, true]);
      if (zone === 0) expect(shown.length).toBeGreaterThan(0);
    }
  });
});

describe('6: false findings', () => {
  it('are rights of the directory on a CA whose registry was read', () => {
    const paths = all.filter((row) => row.environment_id === untrue.sid && /ADCSESC/.test(row.finding));
    expect(paths.map(({ finding }) => finding)).toEqual([]);
    for (const type of ['T0ManageCA', 'T0ManageCertificates'])
      expect(found(type, { target: AUTHORITY })).toEqual([]);
  });

  it('is a foreign member reported at home: it is where the membership is repaired', () => {
    expect(theOnly('NestedForeignPrincipals', { target: FOREIGN }).environment_id).toBe(harm.sid);
  });

  it('ends no role over an application at an object that was not collected', async () => {
    const { data } = (
      await test.call(
        'GET',
        `azure/applications?object_id=${APPLICATION}&related_entity_type=inbound-control`,
      )
    ).json;
    expect(JSON.stringify(data)).toContain('AAAA0000-0000-0000-0000-000000000001');
  });

  it('are administrators of a member server no administrators of controllers', () => {
    const over = all.filter(
      (row) => row.source_principal_id === LOCAL && row.target_principal_id === untrue.id(1000),
    );
    expect(over.map(({ finding }) => finding)).toEqual([]);
  });

  it('still makes them administrators of that server', async () => {
    const { data } = (await test.call('GET', `computers/${MEMBER_SERVER}/admin-users?limit=10`)).json;
    expect(JSON.stringify(data)).toContain(LOCAL);
  });
});

describe('7: evidence', () => {
  it('of a template names the authorities that publish it and who may enroll', async () => {
    const evidence = await evidenceOf(theOnly('TemplateESC1', { target: OPEN }));
    expect(relationsOf(evidence)).toEqual([
      `${OPEN} PublishedTo ${PUBLISHER}`,
      `${evident.id(USERS)} Enroll ${OPEN}`,
    ]);
  });

  it('of a computer in a privileged group names the group and a repair', async () => {
    const evidence = await evidenceOf(theOnly('ComputersInPrivilegedGroups', { target: PC }));
    expect(relationsOf(evidence)).toEqual([`${PC} MemberOf ${evident.id(512)}`]);
    expect(repairsOf(evidence)).toEqual([`remove-member ${evident.id(512)} ${PC}`]);
  });

  it('of a right in a tenant names the tenant and the parts involved', async () => {
    const evidence = await evidenceOf(theOnly('AzureT0MGGrantAppRoles', { source: BACKUP, target: TENANT }));
    expect(relationsOf(evidence)).toEqual([
      `${BACKUP} AZMGAppRoleAssignment_ReadWrite_All ${GRAPH}`,
      `${TENANT} AZContains ${BACKUP}`,
      `${TENANT} AZContains ${GRAPH}`,
    ]);
    expect(evidence.repairs).toHaveLength(1);
    expect(evidence.advice.join(' ')).toContain('Objects of the tenant CLOUD cannot leave it');
  });

  it('shows local groups by their host, be it collected or not', async () => {
    const named = theOnly('T0GenericAll', { source: NAMED_GROUP });
    expect(named.source_principal_name).toBe(`LOCAL GROUP 1001@PC.${evident.name}`);
    const unnamed = theOnly('T0GenericAll', { source: UNNAMED_GROUP });
    expect(unnamed.source_principal_name).toBe(`LOCAL GROUP 1002@(${evident.name}) ${evident.id(1299)}`);
    expect(unnamed.relation).toBe('GenericAll');
    const evidence = await evidenceOf(unnamed);
    expect(evidence.advice.join(' ')).toContain('were not collected');
  });

  it('shows the path of an account over its own rights', async () => {
    const row = theOnly('Kerberoasting', { target: OWN_WAY });
    expect(row.severity).toBe('high');
    expect(row).not.toHaveProperty('relation');
    // The drawing of `clew finding` for an account whose shortest path is the path of everybody.
    const query = `start_node=${OWN_WAY}&end_node=${evident.sid}&limit=25&disjoint=true`;
    const { paths } = await test.data('GET', `graphs/alternative-paths?${query}`);
    const ways = paths.map(({ nodes }: Json) => nodes.map(({ object_id }: Json) => object_id));
    expect(ways).toContainEqual(expect.arrayContaining([OWN_WAY, evident.id(1107), evident.sid]));
  });
});

describe('8: types that were missing', () => {
  it('make paths of a template for any purpose, and of one of the first schema', () => {
    for (const type of ['T0ADCSESC3', 'T0ADCSESC15'])
      expect([type, found(type, { source: missing.id(USERS), target: missing.sid }).length]).toEqual([
        type,
        1,
      ]);
    expect(theOnly('T0ADCSESC3', { source: missing.id(USERS) }).severity).toBe('critical');
    expect(theOnly('TemplateESC2', { target: AGENT })).toBeDefined();
    expect(theOnly('TemplateESC15', { target: FIRST_SCHEMA })).toBeDefined();
  });

  it('make paths of requests that an authority takes without encryption', async () => {
    const everybody = relayed.wellKnown(AUTHENTICATED);
    const row = theOnly('T0CoerceAndRelayNTLMToADCS', { source: everybody, target: COERCIBLE });
    const evidence = await evidenceOf(row);
    expect(relationsOf(evidence)).toEqual(
      expect.arrayContaining([
        `${relayed.id(515)} Enroll ${MACHINE}`,
        `${everybody} Enroll ${UNENCRYPTED}`,
        `${MACHINE} PublishedTo ${UNENCRYPTED}`,
      ]),
    );
    const encrypt = `authority-rpc-encryption ${UNENCRYPTED}`;
    expect(repairsOf(evidence)).toContain(encrypt);
    const setting = await evidenceOf(theOnly('CAUnencryptedRPC', { target: UNENCRYPTED }));
    expect(repairsOf(setting)).toEqual([encrypt]);
    expect(setting.repairs[0].change).toContain('IF_ENFORCEENCRYPTICERTREQUEST');
  });

  it('draw the policies that give a local right: their links, and the units down to the computer', async () => {
    const evidence = await evidenceOf(theOnly('T0Admins', { source: HELPERS, target: HOST12 }));
    expect(relationsOf(evidence)).toEqual([
      `${HOST12}-544 LocalToComputer ${HOST12}`,
      `${HELPERS} MemberOfLocalGroup ${HOST12}-544`,
      `${BASELINE} GPLink ${OUTER}`,
      `${LOCAL_ADMINS} GPLink ${OUTER}`,
      `${OUTER} Contains ${INNER}`,
      `${INNER} Contains ${HOST12}`,
    ]);
    expect(repairsOf(evidence)).toEqual([`remove-policy-member ${OUTER} ${HELPERS}`]);
    const advice = evidence.advice.join(' ');
    for (const name of ['MACHINES', 'BASELINE', 'LOCAL ADMINS', 'HELPERS'])
      expect(advice).toContain(`${name}@${governed.name}`);
  });

  it('advise on who belongs into Tier Zero, once for each object', async () => {
    const advice = theOnly('ProbablyTierZero', { target: SERVER_ADMINS });
    const relations = all.filter((row) => row.source_principal_id === SERVER_ADMINS);
    expect(relations.length).toBeGreaterThan(0);
    for (const row of relations)
      expect([row.finding, row.part_of]).toEqual([row.finding, 'ProbablyTierZero']);
    expect(rows.filter((row) => row.source_principal_id === SERVER_ADMINS)).toEqual([]);
    expect(advice.severity).toBe('high');
  });

  it('advise on who administers an authority, and on the administrators of Exchange', async () => {
    for (const target of [CA_ADMINS, EXCHANGE]) {
      const { severity } = theOnly('ProbablyTierZero', { target });
      expect(['moderate', 'high', 'critical']).toContain(severity);
      expect(rows.filter((row) => row.source_principal_id === target)).toEqual([]);
    }
  });

  it('name the server of the synchronization and who administers it, once each', async () => {
    for (const [target, relations] of [
      [SYNC_SERVER, []],
      [SYNC_ADMINS, [`${SYNC_ADMINS} AdminTo ${SYNC_SERVER}`]],
    ] as const) {
      const row = theOnly('ProbablyTierZero', { target });
      expect(row.severity).toBe('high');
      const evidence = await evidenceOf(row);
      expect(relationsOf(evidence)).toEqual(expect.arrayContaining([...relations]));
      expect(evidence.advice.join(' ')).toContain('runs directory synchronization');
    }
  });

  it('name an old password of a connector account, and delegation to krbtgt', async () => {
    expect(
      found('ConnectorAccountOldPassword')
        .map((row) => row.target_principal_id)
        .sort(),
    ).toEqual([CONNECTOR, missing.id(1103)].sort());
    const evidence = await evidenceOf(theOnly('KrbtgtDelegation', { target: missing.id(502) }));
    expect(relationsOf(evidence)).toEqual([`${DELEGATE} AllowedToAct ${missing.id(502)}`]);
  });

  it('name the old password of a trust', () => {
    expect(theOnly('TrustAccountOldPassword').target_principal_id).toBe(TRUST_ACCOUNT);
  });

  it('count computers that users own as one finding of the domain', () => {
    expect(theOnly('ComputersOwnedByUsers').target_principal_id).toBe(missing.sid);
  });
});
