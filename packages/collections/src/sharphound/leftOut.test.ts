/** Tests alternative fields for omitted ones. */
import { expect, it } from 'vitest';
import { readObjects, readOne, type Told } from '../../test/index.ts';

const DOMAIN = 'S-1-5-21-1-2-3';
const account = (samaccountname: string, properties: object = {}) => ({
  ObjectIdentifier: `${DOMAIN}-1101`,
  Properties: { samaccountname, ...properties },
  Aces: [],
});

it.each([
  ['the member', { DomainSID: DOMAIN }, {}],
  ['the property', { DomainSID: null }, { domainsid: DOMAIN.toLowerCase() }],
  ['its own SID', { DomainSID: null }, {}],
  ['its own SID, where a word stands for the SID', { DomainSID: 'DOMAIN_SID' }, { domainsid: 'Unknown' }],
])('the domain of a controller is found by %s', async (_, members, Properties) => {
  const { edges } = await readOne('computers', {
    ...{ ObjectIdentifier: `${DOMAIN}-1000`, IsDC: true, Aces: [], Properties },
    ...members,
  });
  expect(edges).toEqual([`${DOMAIN}-1000(Computer) -DCFor-> ${DOMAIN}(Domain) hasacl`]);
});

it.each([
  ['the end of its name', 'gm1$', {}, true],
  ['nothing', 'human', {}, undefined],
  ['a flag that says no', 'odd$', { gmsa: false, msa: false }, false],
  ['the account type', 'gm1$', { gmsa: false, samaccounttype: 805_306_369 }, true],
  ['the account type as a text', 'gm1', { samaccounttype: '805306369' }, true],
  ['the bits of the account', 'gm1$', { useraccountcontrol: 0x1000 }, true],
  ['the account of a trust', 'CHILD$', { samaccounttype: 805_306_370 }, undefined],
  ['the bits of a trust', 'CHILD$', { useraccountcontrol: 0x820 }, undefined],
  ['its class', 'gm1', { objectclass: ['top', 'user', 'computer', 'msDS-GroupManagedServiceAccount'] }, true],
])('a managed account is recognized by %s', async (_, name, properties, gmsa) => {
  const { nodes } = await readOne('users', account(name, properties));
  expect(nodes[0]?.properties.gmsa).toBe(gmsa);
});

it('a standalone one is recognized by its class', async () => {
  const { nodes } = await readOne('users', account('m1$', { objectclass: 'msDS-ManagedServiceAccount' }));
  expect(nodes[0]?.properties).toMatchObject({ msa: true });
});

const trust = (attributes: unknown, flags: object = {}): Promise<Told> =>
  readOne('domains', {
    ...{ ObjectIdentifier: DOMAIN, Properties: {}, Aces: [] },
    Trusts: [
      {
        ...{
          TargetDomainSid: 'S-1-5-21-4-5-6',
          TargetDomainName: 'OTHER',
          TrustDirection: 3,
          TrustType: 'External',
        },
        ...{ TrustAttributes: attributes, ...flags },
      },
    ],
  });
const kindsOf = ({ edges }: Told): string[] =>
  [...new Set(edges.map((edge) => / -(\w+)-> /.exec(edge)?.[1] ?? ''))].sort();

it.each([
  ['no bit', 0, ['CrossForestTrust', 'SpoofSIDHistory']],
  ['quarantine', 4, ['CrossForestTrust']],
  ['a forest trust', 8, ['CrossForestTrust']],
  ['a forest trust that is treated as external', 0x48, ['CrossForestTrust', 'SpoofSIDHistory']],
  ['delegation', 0x808, ['AbuseTGTDelegation', 'CrossForestTrust']],
  ['delegation that quarantine forbids', 0x804, ['CrossForestTrust']],
  ['the same forest', 0x20, ['SameForestTrust']],
] as const)('attributes of a trust take precedence over its flags: %s', async (_, attributes, kinds) => {
  for (const flag of [true, false, undefined]) {
    const flags = { SidFilteringEnabled: flag, TGTDelegationEnabled: flag, IsTransitive: flag };
    expect(kindsOf(await trust(attributes, flags))).toEqual([...kinds].sort());
  }
});

it('contradictions between them are reported', async () => {
  const say = 'note: flags of a trust contradict its attributes; the attributes are used';
  expect((await trust(0, { SidFilteringEnabled: true })).issues).toEqual([say]);
  expect((await trust(8, { SidFilteringEnabled: true, IsTransitive: true })).issues).toEqual([]);
});

it('flags apply if the attributes are unknown', async () => {
  expect(kindsOf(await trust(null, { SidFilteringEnabled: true }))).toEqual(['CrossForestTrust']);
  expect(kindsOf(await trust(undefined, { TGTDelegationEnabled: true }))).toEqual([
    'AbuseTGTDelegation',
    'CrossForestTrust',
    'SpoofSIDHistory',
  ]);
});

/** Matched edges of one object: `start -Kind-> end`. */
async function matched(type: string, object: object): Promise<string[]> {
  const { objects } = await readObjects(type, [object]);
  const nameOf = (end: unknown): string =>
    typeof end === 'string' ? end : `{${(end as { matchers: { value: string }[] }).matchers[0]?.value}}`;
  return objects.flatMap(({ edgeSets }) =>
    edgeSets.flatMap(({ matchedEdges = [] }) =>
      matchedEdges.map(({ start, kind, end }) => `${nameOf(start)} -${kind}-> ${nameOf(end)}`),
    ),
  );
}

it.each(['DOMAIN_SID', 'Unknown', 'not found'])('%s is the domain of the name', async (word) => {
  const record = { ObjectIdentifier: 'CA', Aces: [], DomainSID: word };
  const Properties = { domain: 'corp.local', domainsid: word };
  expect(await matched('rootcas', { ...record, Properties })).toEqual(['CA -RootCAFor-> {CORP.LOCAL}']);
  expect(await matched('ntauthstores', { ...record, Properties })).toEqual([
    'CA -NTAuthStoreFor-> {CORP.LOCAL}',
  ]);
  const nameless = await readOne('rootcas', { ...record, Properties: { domainsid: word } });
  expect(nameless.nodes[0]?.properties).not.toHaveProperty('domainsid');
  expect(nameless.issues).toHaveLength(2);
});

it.each([
  [{ ObjectIdentifier: 'WEB1.CORP.LOCAL', ObjectType: 'Computer' }, 'WEB1.CORP.LOCAL'],
  ['cifs/web1.corp.local', 'WEB1.CORP.LOCAL'],
  ['MSSQLSvc/web1.corp.local:1433', 'WEB1.CORP.LOCAL'],
  ['ldap/dc1.corp.local/corp.local', 'DC1.CORP.LOCAL'],
  ['host/web1', 'WEB1.CORP.LOCAL'],
  ['WEB1$', 'WEB1.CORP.LOCAL'],
])('delegation to %j leads to the computer with that name', async (entry, host) => {
  const object = { ...account('a', { domain: 'CORP.LOCAL' }), AllowedToDelegate: [entry] };
  expect(await matched('users', object)).toEqual([`${DOMAIN}-1101 -AllowedToDelegate-> {${host}}`]);
  expect((await readOne('users', object)).edges).toEqual([]);
});

it('ids stay ids, even as texts', async () => {
  const object = { ...account('a', { domain: 'CORP.LOCAL' }), HasSIDHistory: ['s-1-5-21-9-9-9-500'] };
  const delegation = [{ ObjectIdentifier: `${DOMAIN}-1000`, ObjectType: 'Computer' }];
  expect((await readOne('users', { ...object, AllowedToDelegate: delegation })).edges).toEqual([
    `${DOMAIN}-1101(User) -AllowedToDelegate-> ${DOMAIN}-1000(Computer) hasacl`,
    `${DOMAIN}-1101(User) -HasSIDHistory-> S-1-5-21-9-9-9-500(Base) hasacl`,
  ]);
});

it('sessions and CAs also name their hosts', async () => {
  const session = { UserSID: `${DOMAIN}-1101`, ComputerSID: 'WEB1.CORP.LOCAL' };
  const computer = {
    ...{ ObjectIdentifier: `${DOMAIN}-1000`, Properties: { domain: 'CORP.LOCAL' }, Aces: [] },
    Sessions: { Collected: true, Results: [session, { ...session, ComputerSID: 'WEB2' }] },
  };
  expect(await matched('computers', computer)).toEqual([
    `{WEB1.CORP.LOCAL} -HasSession-> ${DOMAIN}-1101`,
    `{WEB2.CORP.LOCAL} -HasSession-> ${DOMAIN}-1101`,
  ]);
  expect(await matched('sessions', session)).toEqual([`{WEB1.CORP.LOCAL} -HasSession-> ${DOMAIN}-1101`]);
  const ca = { ObjectIdentifier: 'CA', Properties: {}, Aces: [], HostingComputer: 'ca1.corp.local' };
  expect(await matched('enterprisecas', ca)).toEqual(['{CA1.CORP.LOCAL} -HostsCAService-> CA']);
});

async function toHosts(user: object) {
  const { objects } = await readObjects('users', [user]);
  return objects.flatMap(({ edgeSets }) => edgeSets.flatMap(({ matchedEdges }) => matchedEdges ?? []));
}

it.each([
  ['without ids', [{ ObjectIdentifier: null, ObjectType: null }], ['cifs/web1.corp.local']],
  ['empty', [], ['cifs/web1.corp.local:80', 7, null]],
  ['empty, and the property one text', [], 'cifs/web1.corp.local, http/WEB1.corp.local'],
] as const)(
  'the services of a delegation are read from a property if the list is %s',
  async (_, listed, property) => {
    const edges = await toHosts({
      ...account('svc', { domain: 'CORP.LOCAL', allowedtodelegate: property }),
      AllowedToDelegate: listed,
    });
    expect(edges.map(({ properties }) => properties?.hostname)).toEqual(['WEB1.CORP.LOCAL']);
  },
);

it('the property adds nothing if every service has its id', async () => {
  const edges = await toHosts({
    ...account('svc', { domain: 'CORP.LOCAL', allowedtodelegate: ['cifs/web1.corp.local'] }),
    AllowedToDelegate: [{ ObjectIdentifier: `${DOMAIN}-1000`, ObjectType: 'Computer' }],
  });
  expect(edges).toEqual([]);
});

it('the host of a SQL server is the computer with its name, and no separate object', async () => {
  const target = (ComputerSID: string) => ({ ComputerSID, Port: 1433, Service: 'SQLAdmin' });
  const user = {
    ...account('svc', { domain: 'CORP.LOCAL' }),
    SPNTargets: [target('SQL1.corp.local'), target('sql2'), target('Not found')],
  };
  const edges = await toHosts(user);
  expect(edges.map(({ kind, properties }) => [kind, properties])).toEqual([
    ['SQLAdmin', { port: 1433, hostname: 'SQL1.CORP.LOCAL' }],
    ['SQLAdmin', { port: 1433, hostname: 'SQL2.CORP.LOCAL' }],
  ]);
  expect((await readOne('users', user)).edges).toEqual([]);
});

it('registry values that properties of the CA contradict were not collected', async () => {
  const value = { Value: false, Collected: true, FailureReason: null };
  const read = async (denies: object) => {
    const { nodes } = await readOne('enterprisecas', {
      ...{ ObjectIdentifier: 'AAAA0000-0000-4000-8000-000000000001', Properties: denies, Aces: [] },
      CARegistryData: { IsUserSpecifiesSanEnabled: value, RoleSeparationEnabled: value },
    });
    return nodes[0]?.properties;
  };
  expect(await read({})).toMatchObject({ isuserspecifiessanenabled: false, roleseparationenabled: false });
  const denied = await read({
    isuserspecifiessanenabledcollected: false,
    roleseparationenabledcollected: false,
  });
  expect(denied).not.toHaveProperty('isuserspecifiessanenabled');
  expect(denied).not.toHaveProperty('roleseparationenabled');
});

it.each([
  ['its SID where the GUID stands for it', DOMAIN, DOMAIN],
  [
    'its GUID where the property is the SID of an account',
    `${DOMAIN}-500`,
    'AAAA0000-0000-4000-8000-000000000002',
  ],
])('the id of a domain is %s', async (_, domainsid, id) => {
  const { nodes } = await readOne('domains', {
    ...{ ObjectIdentifier: 'AAAA0000-0000-4000-8000-000000000002', Properties: { domainsid }, Aces: [] },
  });
  expect(nodes.map(({ objectId }) => objectId)).toEqual([id]);
});
