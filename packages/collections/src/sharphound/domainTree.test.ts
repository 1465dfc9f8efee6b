import { describe, expect, it } from 'vitest';
import { readOne } from '../../test/index.ts';

const DOMAIN = 'S-1-5-21-1';
const OTHER = 'S-1-5-21-2';

describe('domains', () => {
  it('have children, links and inheritance hashes', async () => {
    const { nodes, edges, aspects } = await readOne('domains', {
      ObjectIdentifier: DOMAIN,
      Properties: { name: 'corp.local', functionallevel: '2016', collected: true },
      ChildObjects: [{ ObjectIdentifier: 'OU-1', ObjectType: 'OU' }],
      Links: [{ GUID: 'gpo-1', IsEnforced: true }, { Guid: 'GPO-2', IsEnforced: false }, { GUID: null }],
      InheritanceHashes: ['h1', 'h2'],
      Trusts: [],
    });
    expect(nodes[0]?.properties).toEqual({
      name: 'CORP.LOCAL',
      functionallevel: '2016',
      collected: true,
      inheritancehashes: ['h1', 'h2'],
    });
    expect(edges).toEqual([
      `${DOMAIN}(Domain) -Contains-> OU-1(OU) hasacl`,
      `GPO-1(GPO) -GPLink-> ${DOMAIN}(Domain) enforced hasacl`,
      `GPO-2(GPO) -GPLink-> ${DOMAIN}(Domain) hasacl`,
    ]);
    expect(aspects).toEqual([
      `child-objects of ${DOMAIN}(Domain): replaces 1`,
      `gp-links of ${DOMAIN}(Domain): replaces 2`,
      `trusts of ${DOMAIN}(Domain): replaces 0`,
    ]);
  });

  const entry = {
    PrincipalSID: `${DOMAIN}-512`,
    PrincipalType: 'Group',
    RightName: 'GenericAll',
    IsInherited: false,
  };
  it.each([
    ['an access list', { Aces: [entry] }, {}, true],
    ['an access list and a word against it', { Aces: [entry] }, { collected: false }, false],
    ['an empty access list', { Aces: [] }, {}, undefined],
    ['no access list', {}, {}, undefined],
    ['an access list of a short record', { Aces: [entry] }, { reconcile: true }, undefined],
  ])('count as collected with %s', async (_, members, properties, collected) => {
    const { nodes } = await readOne('domains', {
      ObjectIdentifier: DOMAIN,
      Properties: properties,
      ...members,
    });
    expect(nodes[0]?.properties.collected).toBe(collected);
  });

  it.each([
    ['machineaccountquota', 10, 10, 'read'],
    ['machineaccountquota', '10', 10, 'repaired'],
    ['minpwdlength', 7.9, 7, 'repaired'],
    ['minpwdlength', '-1.5', -1, 'repaired'],
    ['pwdproperties', 'many', undefined, 'repaired'],
    ['pwdhistorylength', true, undefined, 'repaired'],
    ['lockoutthreshold', null, undefined, 'read'],
    ['lockoutthreshold', '', undefined, 'repaired'],
    ['expirepasswordsonsmartcardonlyaccounts', true, true, 'read'],
    ['expirepasswordsonsmartcardonlyaccounts', 'True', true, 'repaired'],
    ['expirepasswordsonsmartcardonlyaccounts', 'false', false, 'repaired'],
    ['expirepasswordsonsmartcardonlyaccounts', 1, undefined, 'repaired'],
    ['expirepasswordsonsmartcardonlyaccounts', null, undefined, 'read'],
  ])('convert the property %s %j to %j', async (name, value, expected, outcome) => {
    const { nodes, issues } = await readOne('domains', {
      ObjectIdentifier: DOMAIN,
      Properties: { [name]: value },
    });
    expect(nodes[0]?.properties).toEqual(expected === undefined ? {} : { [name]: expected });
    expect(issues.map((issue) => issue.split(':')[0])).toEqual(outcome === 'read' ? [] : [outcome]);
  });
});

describe('trusts', () => {
  const trust = (more: object): object => ({
    TargetDomainSid: OTHER,
    TargetDomainName: 'other.local',
    IsTransitive: true,
    TrustDirection: 'Bidirectional',
    TrustType: 'Forest',
    SidFilteringEnabled: true,
    ...more,
  });
  const edgesOf = async (more: object): Promise<readonly string[]> =>
    (await readOne('domains', { ObjectIdentifier: DOMAIN, Trusts: [trust(more)] })).edges;
  const inbound = (kind: string, properties: object): string =>
    `${OTHER}(Domain) -${kind}-> ${DOMAIN}(Domain) hasacl ${JSON.stringify(properties)}`;
  const outbound = (kind: string, properties: object): string =>
    `${DOMAIN}(Domain) -${kind}-> ${OTHER}(Domain) hasacl ${JSON.stringify(properties)}`;

  it('name the other domain', async () => {
    for (const direction of ['Disabled', 'Inbound']) {
      const { nodes } = await readOne('domains', {
        ObjectIdentifier: DOMAIN,
        Trusts: [trust({ TrustDirection: direction })],
      });
      expect(nodes[1]).toEqual({
        objectId: OTHER,
        kinds: ['Base', 'Domain'],
        properties: { name: 'OTHER.LOCAL', domainsid: OTHER },
        described: false,
      });
    }
  });

  it.each(['ParentChild', 'TreeRoot', 'CrossLink'])(
    'within a forest (%s) have no abuse edges',
    async (type) => {
      expect(
        await edgesOf({
          TrustType: type,
          SidFilteringEnabled: false,
          TGTDelegationEnabled: true,
          TrustAttributes: 32,
        }),
      ).toEqual([
        inbound('SameForestTrust', {
          trusttype: type,
          transitive: true,
          trustattributesinbound: 32,
          tgtdelegation: true,
        }),
        outbound('SameForestTrust', {
          trusttype: type,
          transitive: true,
          spoofsidhistoryblocked: false,
          trustattributesoutbound: 32,
        }),
      ]);
    },
  );

  it.each(['Forest', 'External', 'Kerberos', 'Unknown', ''])('of the type %j cross forests', async (type) => {
    expect(await edgesOf({ TrustType: type, TrustDirection: 'Outbound', TrustAttributes: '8' })).toEqual([
      outbound('CrossForestTrust', {
        trusttype: type,
        transitive: true,
        spoofsidhistoryblocked: true,
        trustattributesoutbound: 8,
      }),
    ]);
  });

  it('allow the other domain to spoof ids if they are not filtered', async () => {
    expect(
      await edgesOf({ TrustDirection: 'Outbound', SidFilteringEnabled: false, IsTransitive: false }),
    ).toEqual([
      outbound('CrossForestTrust', {
        trusttype: 'Forest',
        transitive: false,
        spoofsidhistoryblocked: false,
        trustattributesoutbound: null,
      }),
      inbound('SpoofSIDHistory', { trusttype: 'Forest' }),
    ]);
    expect(await edgesOf({ TrustDirection: 'Inbound', SidFilteringEnabled: false })).toHaveLength(1);
  });

  it('allow the other domain to abuse delegation if it is enabled', async () => {
    expect(
      await edgesOf({ TrustDirection: 'Inbound', TGTDelegationEnabled: true, TrustAttributes: 0x800 }),
    ).toEqual([
      inbound('CrossForestTrust', {
        trusttype: 'Forest',
        transitive: true,
        trustattributesinbound: 0x800,
        tgtdelegation: true,
      }),
      inbound('AbuseTGTDelegation', { trusttype: 'Forest' }),
    ]);
    expect(await edgesOf({ TrustDirection: 'Outbound', TGTDelegationEnabled: true })).toHaveLength(1);
  });

  it('that are disabled produce no edge', async () => {
    expect(await edgesOf({ TrustDirection: 'Disabled', SidFilteringEnabled: false })).toEqual([]);
  });

  it('of old collectors lack attributes and delegation', async () => {
    expect(await edgesOf({ TrustDirection: 'Inbound', TrustAttributes: 'some' })).toEqual([
      inbound('CrossForestTrust', { trusttype: 'Forest', transitive: true, trustattributesinbound: null }),
    ]);
  });

  it('without the other domain are omitted', async () => {
    expect(await edgesOf({ TargetDomainSid: null })).toEqual([]);
  });
});

describe('group policy', () => {
  it.each([
    [0, 'Enabled'],
    ['1', 'User Configuration Disabled'],
    [' 2 ', 'Computer Configuration Disabled'],
    ['3', 'Disabled'],
    ['4', 'GPO Status does not exist'],
    ['', 'GPO Status does not exist'],
    ['x', 'GPO Status does not exist'],
  ])('status %j is %s', async (value, words) => {
    const { nodes } = await readOne('gpos', { ObjectIdentifier: 'GPO-1', Properties: { gpostatus: value } });
    expect(nodes[0]?.properties).toEqual({ gpostatusraw: String(value).trim(), gpostatus: words });
  });

  it('has no status if the file has none', async () => {
    const { nodes } = await readOne('gpos', {
      ObjectIdentifier: 'GPO-1',
      Properties: { gpcpath: '\\\\x', gpostatus: null },
    });
    expect(nodes[0]?.properties).toEqual({ gpcpath: '\\\\x', gpostatus: null });
  });

  it('changes local groups of affected computers', async () => {
    const user = { ObjectIdentifier: 'S-U', ObjectType: 'User' };
    const { edges, nodes, aspects } = await readOne('ous', {
      ObjectIdentifier: 'OU-1',
      GPOChanges: {
        LocalAdmins: [user],
        RemoteDesktopUsers: [],
        DcomUsers: [user],
        PSRemoteUsers: null,
        AffectedComputers: [
          { ObjectIdentifier: 'S-C1', ObjectType: 'Computer' },
          { ObjectIdentifier: 'S-C2', ObjectType: 'Computer' },
        ],
      },
    });
    expect(nodes).toHaveLength(1);
    expect(edges).toEqual(
      ['S-C1', 'S-C2'].flatMap((computer) =>
        ['544', '562'].flatMap((rid) => [
          `${computer}-${rid}(ADLocalGroup) -LocalToComputer-> ${computer}(Computer) hasacl`,
          `S-U(User) -MemberOfLocalGroup-> ${computer}-${rid}(ADLocalGroup) hasacl`,
        ]),
      ),
    );
    expect(aspects).toEqual(['gpo-changes of OU-1(OU): replaces 8']);
  });

  it('without members or computers changes nothing', async () => {
    const changes = {
      LocalAdmins: [],
      RemoteDesktopUsers: [],
      DcomUsers: [],
      PSRemoteUsers: [],
      AffectedComputers: [{ ObjectIdentifier: 'S-C', ObjectType: 'Computer' }],
    };
    const read = (methods: number): Promise<readonly string[]> =>
      readOne('domains', { ObjectIdentifier: DOMAIN, GPOChanges: changes }, { methods }).then(
        ({ aspects }) => aspects,
      );
    expect(await read(4)).toEqual([`gpo-changes of ${DOMAIN}(Domain): replaces 0`]);
    expect(await read(8)).toEqual([]);
  });
});

describe('the tree', () => {
  it.each(['ous', 'containers'])('is read from parents in %s of older formats', async (type) => {
    const kind = type === 'ous' ? 'OU' : 'Container';
    const { edges, aspects } = await readOne(
      type,
      { ObjectIdentifier: 'ID-1', ChildObjects: [{ ObjectIdentifier: 's-u', ObjectType: 'User' }] },
      { version: 4 },
    );
    expect(edges).toEqual([`ID-1(${kind}) -Contains-> S-U(User) hasacl`]);
    expect(aspects).toEqual([`child-objects of ID-1(${kind}): replaces 1`]);
  });

  it('clears missing inheritance hashes', async () => {
    const read = async (hashes: unknown, methods: number): Promise<unknown> =>
      (await readOne('containers', { ObjectIdentifier: 'C', InheritanceHashes: hashes }, { methods }))
        .nodes[0]?.properties;
    expect(await read(['a'], 64)).toEqual({ inheritancehashes: ['a'] });
    expect(await read([], 64)).toEqual({ inheritancehashes: null });
    expect(await read([], 8)).toEqual({});
  });

  it('has sites, their servers and subnets', async () => {
    const common = { ObjectIdentifier: 'S', ContainedBy: { ObjectIdentifier: 'C', ObjectType: 'Container' } };
    expect((await readOne('sites', { ...common, Links: [{ GUID: 'G' }] })).edges).toEqual([
      'C(Container) -Contains-> S(Site) hasacl',
      'G(GPO) -GPLink-> S(Site) hasacl',
    ]);
    expect((await readOne('siteservers', common)).nodes[0]?.kinds).toEqual(['Base', 'SiteServer']);
    expect((await readOne('sitesubnets', common)).nodes[0]?.kinds).toEqual(['Base', 'SiteSubnet']);
  });
});
