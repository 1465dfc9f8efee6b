import { describe, expect, it } from 'vitest';
import { readOne, type Told } from '../../test/index.ts';

const ID = 'S-1-5-21-1-1000';
const DOMAIN = 'S-1-5-21-1';

function readComputer(members: object, meta?: object): Promise<Told> {
  return readOne('computers', { ObjectIdentifier: ID, ...members }, meta);
}

async function propertiesOf(members: object, meta?: object): Promise<unknown> {
  return (await readComputer(members, meta)).nodes[0]?.properties;
}

const NETLOGON = 'vulnerablenetlogonsecuritydescriptorcollected';

describe('computers', () => {
  it('have memberships, delegation, former ids and service accounts', async () => {
    const { edges, aspects } = await readComputer({
      PrimaryGroupSID: 'S-1-5-21-1-515',
      AllowedToDelegate: [{ ObjectIdentifier: 'S-T', ObjectType: 'Computer' }],
      AllowedToAct: [{ ObjectIdentifier: 'S-A', ObjectType: 'User' }],
      HasSIDHistory: [{ ObjectIdentifier: 'S-H', ObjectType: 'Computer' }],
      DumpSMSAPassword: [{ ObjectIdentifier: 'S-S', ObjectType: 'User' }],
    });
    expect(edges).toEqual([
      `${ID}(Computer) -MemberOf-> S-1-5-21-1-515(Group) primary hasacl`,
      `${ID}(Computer) -AllowedToDelegate-> S-T(Computer) hasacl`,
      `${ID}(Computer) -HasSIDHistory-> S-H(Computer) hasacl`,
      `S-A(User) -AllowedToAct-> ${ID}(Computer) hasacl`,
      `${ID}(Computer) -DumpSMSAPassword-> S-S(User) hasacl`,
    ]);
    expect(aspects.map((aspect) => aspect.split(' ')[0])).toEqual([
      'primary-group',
      'delegation',
      'sid-history',
      'allowed-to-act',
      'smsa-passwords',
    ]);
  });

  it.each([
    ['a controller', { IsDC: true, DomainSID: DOMAIN, UnconstrainedDelegation: true }, ['DCFor']],
    ['a read-only controller', { IsDC: true, DomainSID: DOMAIN, Properties: { isreadonlydc: true } }, []],
    [
      'a controller without a domain',
      { IsDC: true, Properties: { unconstraineddelegation: true, domainsid: DOMAIN } },
      ['DCFor'],
    ],
    [
      'a controller by property only',
      { Properties: { isdc: true, unconstraineddelegation: true, domainsid: DOMAIN } },
      ['DCFor'],
    ],
    [
      'trusted for delegation',
      { IsDC: false, DomainSID: DOMAIN, UnconstrainedDelegation: true },
      ['CoerceToTGT'],
    ],
    ['a member', { IsDC: false, DomainSID: DOMAIN, UnconstrainedDelegation: false }, []],
  ])('are related to the domain as %s', async (_, members, kinds) => {
    const { edges, aspects } = await readComputer(members);
    expect(edges).toEqual(kinds.map((kind) => `${ID}(Computer) -${kind}-> ${DOMAIN}(Domain) hasacl`));
    expect(aspects).toEqual([`domain-role of ${ID}(Computer): replaces ${kinds.length}`]);
  });

  it('keep their role in the domain after a run that did not look for it', async () => {
    expect(
      (await readComputer({ IsDC: false, UnconstrainedDelegation: false }, { methods: 8 })).aspects,
    ).toEqual([]);
    const controller = { IsDC: true, DomainSID: DOMAIN };
    expect((await readComputer(controller, { methods: 8 })).aspects).toEqual([
      `domain-role of ${ID}(Computer): replaces 1`,
    ]);
  });

  it('of format 4 have their local groups in lists, which get the ids of later formats', async () => {
    const members = (id: string) => ({
      Collected: true,
      Results: [{ ObjectIdentifier: id, ObjectType: 'User' }],
    });
    const { edges, aspects, issues } = await readComputer(
      {
        ...{ LocalAdmins: members('S-A'), RemoteDesktopUsers: members('S-R'), DcomUsers: members('S-D') },
        PSRemoteUsers: { Collected: false, FailureReason: 'no', Results: [{ ObjectIdentifier: 'S-P' }] },
      },
      { version: 4 },
    );
    const group = (rid: number) => `${ID}-${rid}(ADLocalGroup)`;
    expect([...edges].sort()).toEqual(
      [
        ...[544, 555, 562].map((rid) => `${group(rid)} -LocalToComputer-> ${ID}(Computer) hasacl`),
        `S-A(User) -MemberOfLocalGroup-> ${group(544)} hasacl`,
        `S-R(User) -MemberOfLocalGroup-> ${group(555)} hasacl`,
        `S-D(User) -MemberOfLocalGroup-> ${group(562)} hasacl`,
      ].sort(),
    );
    expect(aspects).toContain(`local-groups of ${group(544)}: replaces 1`);
    expect(issues).toEqual([]);
  });
});

describe('sessions of computers', () => {
  const session = (computer: string, user: string): object => ({
    ComputerSID: computer,
    UserSID: user,
    LogonType: 2,
  });

  it('are in three lists and belong to the computer they name', async () => {
    const { edges, aspects, issues } = await readComputer({
      Sessions: { Collected: true, Results: [session(ID, 'S-1-9-1'), session('S-1-8-1', 'S-1-9-2')] },
      PrivilegedSessions: { Collected: true, Results: [session(ID, 's-1-9-3'), session(ID, '')] },
      RegistrySessions: { Collected: false, FailureReason: 'no', Results: [session(ID, 'S-1-9-4')] },
      NtlmSessions: { Collected: true, Results: [session(ID, 'S-1-9-5')] },
    });
    expect(edges).toEqual([
      `${ID}(Computer) -HasSession-> S-1-9-1(User) hasacl`,
      `${ID}(Computer) -HasSession-> S-1-9-3(User) hasacl`,
      'S-1-8-1(Computer) -HasSession-> S-1-9-2(User) hasacl',
    ]);
    expect(aspects).toEqual([
      `sessions of ${ID}(Computer): replaces 2`,
      'sessions of S-1-8-1(Computer): adds 1',
    ]);
    expect(issues).toEqual(['note: sessions without a computer or a user were skipped']);
  });

  it('record that the computer was examined even if none were found', async () => {
    const looked = { Sessions: { Collected: true, Results: [] } };
    expect((await readComputer(looked)).aspects).toEqual([`sessions of ${ID}(Computer): replaces 0`]);
    const failed = { Sessions: { Collected: false, Results: [] } };
    expect((await readComputer(failed)).aspects).toEqual([]);
  });
});

describe('local groups', () => {
  const ADMINS = `${ID}-544`;
  const group = (more: object): object => ({
    Collected: true,
    ObjectIdentifier: ADMINS,
    Name: 'Administrators@host',
    Results: [],
    LocalNames: [],
    ...more,
  });
  const member = { ObjectIdentifier: 'S-M', ObjectType: 'User' };

  it('have members, a name and the names of local principals', async () => {
    const { nodes, edges, aspects } = await readComputer({
      LocalGroups: [
        group({
          Results: [member],
          LocalNames: [{ ObjectIdentifier: `${ID}-500`, PrincipalName: 'Admin@host' }],
        }),
      ],
    });
    expect(nodes.slice(1)).toEqual([
      {
        objectId: ADMINS,
        kinds: ['Base', 'ADLocalGroup'],
        properties: { name: 'ADMINISTRATORS@HOST' },
        described: false,
      },
      { objectId: `${ID}-500`, kinds: ['Base'], properties: { name: 'ADMIN@HOST' }, described: false },
    ]);
    expect(edges).toEqual([
      `S-M(User) -MemberOfLocalGroup-> ${ADMINS}(ADLocalGroup) hasacl`,
      `${ADMINS}(ADLocalGroup) -LocalToComputer-> ${ID}(Computer) hasacl`,
    ]);
    expect(aspects).toEqual([
      `local-groups of ${ADMINS}(ADLocalGroup): replaces 1`,
      `local-groups of ${ID}(Computer): replaces 1`,
    ]);
  });

  it.each([
    ['without members', group({}), 0],
    ['without members, whose existence matters', group({ Name: 'Direct Access Users@HOST' }), 1],
    ['without a name', group({ Name: 'IGNOREME', Results: [member] }), 2],
    ['without an id', group({ ObjectIdentifier: '', Results: [member] }), 0],
  ])('%s', async (_, json, edges) => {
    expect((await readComputer({ LocalGroups: [json] })).edges).toHaveLength(edges);
  });

  it('without a name produce no separate node', async () => {
    const { nodes } = await readComputer({ LocalGroups: [group({ Name: 'IGNOREME', Results: [member] })] });
    expect(nodes).toHaveLength(1);
  });

  it('that lost their last member lose it in the graph', async () => {
    expect((await readComputer({ LocalGroups: [group({})] })).aspects).toEqual([
      `local-groups of ${ADMINS}(ADLocalGroup): replaces 0`,
      `local-groups of ${ID}(Computer): replaces 0`,
    ]);
  });

  it('that were not collected keep the known members', async () => {
    const missed = group({ Collected: false, ObjectIdentifier: `${ID}-555`, Results: [member] });
    const { aspects } = await readComputer({ LocalGroups: [group({ Results: [member] }), missed] });
    expect(aspects).toEqual([
      `local-groups of ${ADMINS}(ADLocalGroup): replaces 1`,
      `local-groups of ${ID}(Computer): adds 1`,
    ]);
    expect((await readComputer({ LocalGroups: [missed] })).aspects).toEqual([]);
    expect((await readComputer({ LocalGroups: [] })).aspects).toEqual([]);
  });

  it('of the domain are replaced by its controllers only', async () => {
    const builtin = group({
      ObjectIdentifier: 'CORP.LOCAL-S-1-5-32-544',
      Name: 'IGNOREME',
      Results: [member],
    });
    const controller = await readComputer({ IsDC: true, DomainSID: DOMAIN, LocalGroups: [builtin] });
    expect(controller.aspects).toContain('local-groups of CORP.LOCAL-S-1-5-32-544(ADLocalGroup): replaces 1');
    const server = await readComputer({ LocalGroups: [builtin] });
    expect(server.aspects).toContain('local-groups of CORP.LOCAL-S-1-5-32-544(ADLocalGroup): adds 1');
  });

  it.each(['CORP.LOCAL-S-1-5-32-544', 'S-1-5-21-1-1120-544'])(
    'of a member server are its own, even with the id %s',
    async (id) => {
      const builtin = group({ ObjectIdentifier: id, Name: 'IGNOREME', Results: [member] });
      const { edges } = await readComputer({ IsDC: false, DomainSID: DOMAIN, LocalGroups: [builtin] });
      expect(edges.filter((text) => text.includes(id))).toEqual([]);
      expect(edges.filter((text) => text.includes(`${ID}-544(ADLocalGroup)`))).toHaveLength(2);
    },
  );
});

describe('user rights', () => {
  const right = (more: object): object => ({
    Privilege: 'SeRemoteInteractiveLogonRight',
    Collected: true,
    Results: [],
    LocalNames: [],
    ...more,
  });
  const holder = { ObjectIdentifier: `${ID}-555`, ObjectType: 'LocalGroup' };

  it('to log on through remote desktop produce edges', async () => {
    const { edges, nodes, aspects } = await readComputer({ UserRights: [right({ Results: [holder] })] });
    expect(edges).toEqual([`${ID}-555(ADLocalGroup) -RemoteInteractiveLogonRight-> ${ID}(Computer) hasacl`]);
    expect(nodes[0]?.properties).toMatchObject({ hasura: true });
    expect(aspects).toEqual([`user-rights of ${ID}(Computer): replaces 1`]);
  });

  it('that are empty replace the known ones, and count as collected', async () => {
    const { nodes, aspects } = await readComputer({ UserRights: [right({})] });
    expect(nodes[0]?.properties).toMatchObject({ hasura: true });
    expect(aspects).toEqual([`user-rights of ${ID}(Computer): replaces 0`]);
  });

  it.each([
    ['were not collected', right({ Collected: false, Results: [holder] })],
    ['are of another kind', right({ Privilege: 'SeBackupPrivilege', Results: [holder] })],
  ])('that %s produce nothing', async (_, json) => {
    const { nodes, aspects } = await readComputer({ UserRights: [json] });
    expect(aspects).toEqual([]);
    expect(nodes[0]?.properties).not.toHaveProperty('hasura');
  });
});

describe('settings of computers', () => {
  it('are read if they were collected', async () => {
    const collected = {
      IsWebClientRunning: { Collected: true, Result: true },
      SmbInfo: { Collected: true, Result: { SigningEnabled: false } },
    };
    expect(await propertiesOf(collected)).toEqual({
      webclientrunning: true,
      smbsigning: false,
    });
    const missed = {
      IsWebClientRunning: { Collected: false, Result: true },
      SmbInfo: { Collected: false, Result: { SigningEnabled: false } },
      NTLMRegistryData: { Collected: false, Result: { UseMachineId: 1 } },
      DCRegistryData: { CertificateMappingMethods: { Collected: false, Value: 31 } },
    };
    expect(await propertiesOf(missed)).toEqual({});
  });

  it('of NTLM are written completely, so that a missing value is cleared', async () => {
    const nothing = {
      restrictoutboundntlm: null,
      restrictreceivingntmltraffic: null,
      requiresecuritysignature: null,
      enablesecuritysignature: null,
      ntlmminclientsec: null,
      ntlmminserversec: null,
      lmcompatibilitylevel: null,
      usemachineid: null,
      clientallowedntlmservers: null,
    };
    const read = (result: unknown): Promise<unknown> =>
      propertiesOf({ NTLMRegistryData: { Collected: true, Result: result } });
    expect(await read({})).toEqual(nothing);
    expect(await read(null)).toEqual(nothing);
    expect(
      await read({
        RestrictSendingNtlmTraffic: 2,
        RestrictReceivingNtlmTraffic: 1,
        RequireSecuritySignature: 1,
        EnableSecuritySignature: 0,
        NtlmMinClientSec: 536_870_912,
        NtlmMinServerSec: 0,
        LmCompatibilityLevel: 5,
        UseMachineId: 7,
        ClientAllowedNTLMServers: ['a'],
        UseMachine: 1,
      }),
    ).toEqual({
      restrictoutboundntlm: true,
      restrictreceivingntmltraffic: false,
      requiresecuritysignature: true,
      enablesecuritysignature: false,
      ntlmminclientsec: 536_870_912,
      ntlmminserversec: 0,
      lmcompatibilitylevel: 5,
      usemachineid: true,
      clientallowedntlmservers: ['a'],
    });
  });

  it.each([
    [0, []],
    [1, ['0x01: One-to-one (subject/issuer)']],
    [
      31,
      [
        '0x01: One-to-one (subject/issuer)',
        '0x02: Many-to-one (issuer certificate)',
        '0x04: User principal name (UPN/SAN)',
        '0x08: Kerberos service-for-user (S4U) certificate',
        '0x10: Kerberos service-for-user (S4U) explicit certificate',
      ],
    ],
    [-1, ['Registry value does not exist']],
  ])('of certificate mapping %i are written as text', async (value, words) => {
    expect(
      await propertiesOf({
        DCRegistryData: { CertificateMappingMethods: { Collected: true, Value: value } },
      }),
    ).toMatchObject({
      certificatemappingmethodsraw: value,
      certificatemappingmethods: words,
    });
  });

  it.each([
    [-1, 'Registry value does not exist'],
    [0, 'Disabled'],
    [1, 'Compatibility mode'],
    [2, 'Full enforcement mode'],
    [3, null],
  ])('of certificate binding %i are written as text', async (value, words) => {
    const registry = { StrongCertificateBindingEnforcement: { Collected: true, Value: value } };
    expect(await propertiesOf({ DCRegistryData: registry })).toMatchObject({
      strongcertificatebindingenforcementraw: value,
      strongcertificatebindingenforcement: words,
    });
  });

  it('of Netlogon record whether they were examined', async () => {
    const registry = { VulnerableNetlogonSecurityDescriptor: { Collected: true, Value: 'O:BAG:BA' } };
    expect(await propertiesOf({ DCRegistryData: registry }, { methods: 131_072 })).toEqual({
      vulnerablenetlogonsecuritydescriptor: 'O:BAG:BA',
      [NETLOGON]: true,
    });
    expect(await propertiesOf({}, { methods: 131_072 })).toEqual({ [NETLOGON]: false });
    expect(await propertiesOf({}, { methods: 8 })).toEqual({});
    // A file that does not name its collection methods clears nothing.
    expect(await propertiesOf({}, { methods: 0 })).toEqual({});
  });

  it('of LDAP get the current names', async () => {
    const Properties = { ldapenabled: true, ldapsenabled: false, ldapsigning: true, ldapsepa: false };
    expect(await propertiesOf({ Properties })).toEqual({
      ldapavailable: true,
      ldapsavailable: false,
      ldapsigning: true,
      ldapsepa: false,
    });
  });
});
