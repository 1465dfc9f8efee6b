import { describe, expect, it } from 'vitest';
import { readOne, type Told } from '../../test/index.ts';

const CA = 'CA-1';
const DOMAIN = 'S-1-5-21-1';

function readCa(members: object, meta?: object): Promise<Told> {
  return readOne('enterprisecas', { ObjectIdentifier: CA, ...members }, meta);
}

describe('objects of the public key services', () => {
  it.each([
    ['aiacas', 'AIACA'],
    ['certtemplates', 'CertTemplate'],
    ['rootcas', 'RootCA'],
    ['ntauthstores', 'NTAuthStore'],
    ['enterprisecas', 'EnterpriseCA'],
    ['issuancepolicies', 'IssuancePolicy'],
  ])('of the type %s are nodes of the kind %s', async (type, kind) => {
    const properties = { certthumbprint: 'AB', ekus: ['1.2'], hasbasicconstraints: true };
    const { nodes, edges } = await readOne(type, {
      ObjectIdentifier: 'x',
      Properties: { ...properties },
      ContainedBy: { ObjectIdentifier: 'C', ObjectType: 'Container' },
      Aces: [{ PrincipalSID: 'S-1', PrincipalType: 'User', RightName: 'GenericAll', IsInherited: false }],
    });
    expect(nodes).toEqual([{ objectId: 'X', kinds: ['Base', kind], properties, described: true }]);
    expect(edges).toEqual([
      `S-1(User) -GenericAll-> X(${kind}) acl hasacl`,
      `C(Container) -Contains-> X(${kind}) hasacl`,
    ]);
  });

  it.each([
    ['rootcas', 'RootCA', 'RootCAFor'],
    ['ntauthstores', 'NTAuthStore', 'NTAuthStoreFor'],
  ])('of the type %s apply to a domain', async (type, kind, edgeKind) => {
    const read = (domain: unknown): Promise<Told> =>
      readOne(type, { ObjectIdentifier: 'X', DomainSID: domain });
    expect((await read(DOMAIN)).edges).toEqual([`X(${kind}) -${edgeKind}-> ${DOMAIN}(Domain) hasacl`]);
    expect((await read('')).aspects).toEqual([`pki-domain of X(${kind}): replaces 0`]);
  });

  it('link a policy to a group', async () => {
    const read = (link: unknown, methods = 0x4_0000): Promise<Told> =>
      readOne('issuancepolicies', { ObjectIdentifier: 'P', GroupLink: link }, { methods });
    const linked = await read({ ObjectIdentifier: 's-g', ObjectType: 'Group' });
    expect(linked.edges).toEqual(['P(IssuancePolicy) -OIDGroupLink-> S-G(Group) hasacl']);
    expect(linked.nodes[0]?.properties).toEqual({ grouplinkid: 'S-G' });
    const unlinked = await read({ ObjectIdentifier: null, ObjectType: 'Base' });
    expect(unlinked.aspects).toEqual(['group-link of P(IssuancePolicy): replaces 0']);
    expect(unlinked.nodes[0]?.properties).toEqual({ grouplinkid: null });
    // A file that does not name its collection methods clears nothing.
    expect((await read(null, 0)).nodes[0]?.properties).toEqual({});
    expect(unlinked.issues).toEqual([]);
  });
});

describe('enterprise CAs', () => {
  it('run on a host and publish templates', async () => {
    const members = {
      HostingComputer: 's-1-5-21-1-9',
      EnabledCertTemplates: [
        { ObjectIdentifier: 't-1', ObjectType: 'CertTemplate' },
        { ObjectIdentifier: 'T-2', ObjectType: 'Base' },
      ],
    };
    const { edges, aspects } = await readCa(members);
    expect(edges).toEqual([
      `S-1-5-21-1-9(Computer) -HostsCAService-> ${CA}(EnterpriseCA) hasacl`,
      `T-1(CertTemplate) -PublishedTo-> ${CA}(EnterpriseCA) hasacl`,
      `T-2(CertTemplate) -PublishedTo-> ${CA}(EnterpriseCA) hasacl`,
    ]);
    expect(aspects).toEqual([
      `ca-service of ${CA}(EnterpriseCA): replaces 1`,
      `published-templates of ${CA}(EnterpriseCA): replaces 2`,
    ]);
  });

  it.each(['Not found', 'ca01.corp.local', '', null, 'S-1-0-0', 'CN=CA01,DC=CORP', 'CA01$', 0, {}, []])(
    'without the id of their host cause a note: %j',
    async (host) => {
      const { edges, nodes, issues } = await readCa({ HostingComputer: host });
      expect(edges).toEqual([]);
      expect(nodes[0]?.properties).toEqual({ hostunresolved: true });
      expect(issues.join()).toContain('the hosting computer of the CA is not given by its ID');
    },
  );

  it('report no host if the collector did not look for one', async () => {
    const { edges, nodes, issues } = await readCa({});
    expect([edges, nodes[0]?.properties, issues]).toEqual([[], {}, []]);
  });

  it('use the rights of the service from its registry, if collected', async () => {
    const ace = (principal: string, type: string, right: string): object => ({
      PrincipalSID: principal,
      PrincipalType: type,
      RightName: right,
      IsInherited: false,
    });
    const { edges, aspects, nodes } = await readCa({
      HostingComputer: 'S-1-5-21-1-8',
      Aces: [
        ace('S-DIR', 'Group', 'Enroll'),
        ace('S-DIR', 'Group', 'ManageCA'),
        ace('S-DIR', 'Group', 'WriteDacl'),
        ace('S-1-5-21-1-8', 'Computer', 'ManageCA'),
        ace('S-OWNER', 'Group', 'Owns'),
      ],
      CARegistryData: {
        CASecurity: {
          Collected: true,
          Data: [
            ace('S-REG', 'Group', 'ManageCA'),
            ace('H-544', 'ADLocalGroup', 'ManageCA'),
            ace('H-544', 'LocalGroup', 'ManageCertificates'),
            ace('H-1000', 'LocalGroup', 'Enroll'),
            ace('S-X', 'Group', 'Owns'),
          ],
        },
      },
    });
    expect(edges).toEqual([
      `S-DIR(Group) -WriteDacl-> ${CA}(EnterpriseCA) acl hasacl`,
      `S-1-5-21-1-8(Computer) -ManageCA-> ${CA}(EnterpriseCA) acl hasacl`,
      `S-OWNER(Group) -OwnsRaw-> ${CA}(EnterpriseCA) acl hasacl`,
      `S-1-5-21-1-8(Computer) -HostsCAService-> ${CA}(EnterpriseCA) hasacl`,
      `S-REG(Group) -ManageCA-> ${CA}(EnterpriseCA) acl hasacl`,
      `H-1000(ADLocalGroup) -Enroll-> ${CA}(EnterpriseCA) acl hasacl`,
    ]);
    expect(aspects).toEqual([
      `acl of ${CA}(EnterpriseCA): replaces 3`,
      `ca-service of ${CA}(EnterpriseCA): replaces 1`,
      `ca-acl of ${CA}(EnterpriseCA): replaces 2`,
    ]);
    expect(nodes[0]?.properties).toEqual({ ownersid: 'S-OWNER' });
  });

  it('restrict enrollment agents', async () => {
    const restriction = (more: object): object => ({
      AccessType: 'AccessAllowedCallback',
      Agent: { ObjectIdentifier: 'S-A', ObjectType: 'User' },
      AllTemplates: false,
      Targets: [{ ObjectIdentifier: 'S-T', ObjectType: 'Group' }],
      Template: { ObjectIdentifier: 'T-1', ObjectType: 'CertTemplate' },
      ...more,
    });
    const read = (restrictions: object[]): Promise<Told> =>
      readCa({
        EnabledCertTemplates: [
          { ObjectIdentifier: 'T-1', ObjectType: 'CertTemplate' },
          { ObjectIdentifier: 'T-2', ObjectType: 'CertTemplate' },
        ],
        CARegistryData: { EnrollmentAgentRestrictions: { Collected: true, Restrictions: restrictions } },
      });
    const agent = (template: string): string =>
      `S-A(User) -DelegatedEnrollmentAgent-> ${template}(CertTemplate) hasacl`;
    const some = await read([
      restriction({}),
      restriction({ AllTemplates: true, Template: null }),
      restriction({ AccessType: 'AccessDeniedCallback' }),
      restriction({ Template: null }),
    ]);
    expect(some.edges.slice(2)).toEqual([agent('T-1'), agent('T-1'), agent('T-2')]);
    expect(some.nodes[0]?.properties).toEqual({ hasenrollmentagentrestrictions: true });
    const none = await read([]);
    expect(none.aspects.at(-1)).toBe(`enrollment-agents of ${CA}(EnterpriseCA): replaces 0`);
    expect(none.nodes[0]?.properties).toEqual({ hasenrollmentagentrestrictions: false });
  });

  it('have the flags from their registry', async () => {
    const flags = (collected: boolean): object => ({
      CARegistryData: {
        IsUserSpecifiesSanEnabled: { Collected: collected, Value: true },
        RoleSeparationEnabled: { Collected: collected, Value: false },
      },
    });
    expect((await readCa(flags(true))).nodes[0]?.properties).toEqual({
      isuserspecifiessanenabled: true,
      roleseparationenabled: false,
    });
    expect((await readCa(flags(false))).nodes[0]?.properties).toEqual({});
  });

  it('that could not be reached report nothing about their service', async () => {
    const missed = { Collected: false, FailureReason: 'no', Data: [], Restrictions: [], Value: false };
    const { aspects, nodes } = await readCa({
      CARegistryData: {
        CASecurity: missed,
        EnrollmentAgentRestrictions: missed,
        IsUserSpecifiesSanEnabled: missed,
      },
      HttpEnrollmentEndpoints: [
        { Collected: false, Result: { Url: 'http://x', ADCSWebEnrollmentHTTP: true } },
      ],
    });
    expect(aspects).toEqual([]);
    expect(nodes[0]?.properties).toEqual({});
  });

  it('have web enrollment endpoints that are vulnerable to relay', async () => {
    const endpoint = (url: string, http: boolean, https: boolean, epa: boolean): object => ({
      Collected: true,
      Result: {
        Url: url,
        ADCSWebEnrollmentHTTP: http,
        ADCSWebEnrollmentHTTPS: https,
        ADCSWebEnrollmentEPA: epa,
      },
    });
    const read = async (...endpoints: object[]): Promise<unknown> =>
      (await readCa({ HttpEnrollmentEndpoints: endpoints })).nodes[0]?.properties;
    expect(
      await read(
        endpoint('http://a', true, false, false),
        endpoint('https://b', false, true, false),
        endpoint('https://c', false, true, true),
      ),
    ).toEqual({
      httpenrollmentendpoints: ['http://a'],
      httpsenrollmentendpoints: ['https://b'],
      hasvulnerableendpoint: true,
    });
    expect(await read(endpoint('https://c', false, true, true))).toEqual({
      httpenrollmentendpoints: null,
      httpsenrollmentendpoints: null,
      hasvulnerableendpoint: false,
    });
    expect(await read()).toEqual({});
  });
});
