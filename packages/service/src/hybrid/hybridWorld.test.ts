import { NOT_DELETED } from '@clew/api';

/** Tests a small organization in Active Directory and Entra ID, from collector files to answers. */

import { type QueryServer, startQueryServer } from '@clew/explore/testing';
import type { Generation } from '@clew/generation';
import { collection, computerRecord, groupRecord, ingestAll, upload, userRecord } from '@clew/intake/testing';
import { qualityHandlers } from '@clew/judgment/testing';
import { type Database, storedProperties } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { buildContext, buildGeneration } from '@clew/worker/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const DOMAIN = 'S-1-5-21-7-7-7';
const ALICE_SID = `${DOMAIN}-1101`;
const T = 'C0FFEE00-0000-4000-8000-000000000001';
const GLOBAL_ADMINISTRATOR = '62e90394-69f5-4237-9190-012177145e10';
const ROLE = `${GLOBAL_ADMINISTRATOR.toUpperCase()}@${T}`;
const PROD = '/SUBSCRIPTIONS/1';
const VAULTS = `${PROD}/RESOURCEGROUPS/VAULTS`;
const VAULT = `${VAULTS}/VAULT`;

const tenant = { tenantId: T.toLowerCase(), tenantName: 'Contoso' };
const item = (kind: string, data: object) => ({ kind, data: { ...tenant, ...data } });
const directoryObject = (type: string, id: string) => ({ '@odata.type': `#microsoft.graph.${type}`, id });
const assigned = (principalId: string, scope: string) => ({ properties: { principalId, scope } });

const AZURE = [
  item('AZTenant', { displayName: 'Contoso', collected: true }),
  item('AZUser', {
    id: 'alice-id',
    userPrincipalName: 'alice@contoso.com',
    displayName: 'Alice',
    onPremisesSyncEnabled: true,
    onPremisesSecurityIdentifier: ALICE_SID,
  }),
  item('AZUser', { id: 'bob-id', userPrincipalName: 'bob@contoso.com', displayName: 'Bob' }),
  item('AZGroup', { id: 'admins-id', displayName: 'Admins', isAssignableToRole: true }),
  item('AZGroup', { id: 'staff-id', displayName: 'Staff' }),
  item('AZGroupMember', {
    groupId: 'admins-id',
    members: [{ groupId: 'admins-id', member: directoryObject('user', 'alice-id') }],
  }),
  item('AZGroupMember', {
    groupId: 'staff-id',
    members: [{ groupId: 'staff-id', member: directoryObject('user', 'bob-id') }],
  }),
  item('AZRole', {
    id: GLOBAL_ADMINISTRATOR,
    templateId: GLOBAL_ADMINISTRATOR,
    displayName: 'Global Administrator',
    isBuiltIn: true,
  }),
  item('AZRoleAssignment', {
    roleDefinitionId: GLOBAL_ADMINISTRATOR,
    roleAssignments: [
      { principalId: 'admins-id', directoryScopeId: '/' },
      { principalId: 'staff-id', directoryScopeId: '/' },
    ],
  }),
  item('AZRoleEligibilityScheduleInstance', {
    roleDefinitionId: GLOBAL_ADMINISTRATOR,
    principalId: 'bob-id',
    directoryScopeId: '/',
  }),
  item('AZApp', { appId: 'app-id', displayName: 'Portal', publisherDomain: 'contoso.com' }),
  item('AZServicePrincipal', { id: 'sp-id', appId: 'app-id', displayName: 'Portal' }),
  item('AZFederatedIdentityCredential', {
    appId: 'app-id',
    fics: [{ appId: 'app-id', fic: { id: 'fic-id', name: 'build', issuer: 'https://ci', subject: 'main' } }],
  }),
  item('AZManagementGroup', { id: '/managementGroups/root', properties: { displayName: 'Root' } }),
  item('AZManagementGroupDescendant', {
    id: '/subscriptions/1',
    properties: { parent: { id: '/managementGroups/root' } },
  }),
  item('AZSubscription', { id: '/subscriptions/1', subscriptionId: '1', displayName: 'Prod' }),
  item('AZResourceGroup', { id: VAULTS, subscriptionId: '/subscriptions/1', name: 'vaults' }),
  item('AZKeyVault', { id: VAULT, name: 'vault', resourceGroup: VAULTS }),
  item('AZKeyVaultAccessPolicy', {
    keyVaultId: VAULT,
    objectId: 'staff-id',
    permissions: { secrets: ['Get', 'List'] },
  }),
  item('AZSubscriptionOwner', {
    subscriptionId: '/subscriptions/1',
    owners: [{ subscriptionId: '/subscriptions/1', owner: assigned('admins-id', '/subscriptions/1') }],
  }),
];

const lately = Math.floor(Date.now() / 1000) - 86_400;
const machine = (rid: number, more: object) =>
  computerRecord(`${DOMAIN}-${rid}`, {
    Properties: { name: `PC${rid}.CORP.LOCAL`, domainsid: DOMAIN, enabled: true, lastlogon: lately },
    ...more,
  });

const COMPUTERS = [
  machine(2001, {
    Sessions: { Collected: true, Results: [{ ComputerSID: `${DOMAIN}-2001`, UserSID: ALICE_SID }] },
    LocalGroups: [
      {
        Collected: true,
        ObjectIdentifier: `${DOMAIN}-2001-544`,
        Name: 'ADMINISTRATORS@PC2001.CORP.LOCAL',
        Results: [{ ObjectIdentifier: ALICE_SID, ObjectType: 'User' }],
      },
    ],
  }),
  // No session was found, which is a valid result.
  machine(2002, { PrivilegedSessions: { Collected: true, Results: [] } }),
  machine(2003, { Sessions: { Collected: false, FailureReason: 'Access denied', Results: [] } }),
  machine(2004, {}),
];

let database: Database;
let server: QueryServer;

const files = [
  { name: 'azure.json', content: { data: AZURE, meta: { type: 'azure', version: 5, count: AZURE.length } } },
  {
    name: 'domains.json',
    content: collection('domains', {
      ObjectIdentifier: DOMAIN,
      Properties: { name: 'CORP.LOCAL', domainsid: DOMAIN, collected: true },
      Aces: [],
    }),
  },
  {
    name: 'users.json',
    content: collection(
      'users',
      userRecord(ALICE_SID, { Properties: { name: 'ALICE@CORP.LOCAL', domainsid: DOMAIN } }),
    ),
  },
  {
    name: 'groups.json',
    content: collection(
      'groups',
      groupRecord(`${DOMAIN}-1200`, {
        Properties: { name: 'HELPERS@CORP.LOCAL', domainsid: DOMAIN },
        Members: [{ ObjectIdentifier: ALICE_SID, ObjectType: 'User' }],
        Aces: [
          { PrincipalSID: ALICE_SID, PrincipalType: 'User', RightName: 'GenericAll', IsInherited: false },
        ],
      }),
    ),
  },
  { name: 'computers.json', content: collection('computers', ...COMPUTERS) },
];

/** Uploads, ingests and publishes. */
async function take(...some: readonly (typeof files)[number][]): Promise<Generation> {
  await upload(database, ...some);
  await ingestAll(database);
  let generation: Generation | undefined;
  await buildGeneration(buildContext(database, (made) => (generation = made)));
  if (generation === undefined) throw new Error('no generation was published');
  return generation;
}

beforeAll(async () => {
  database = await startTestDatabase();
  server = await startQueryServer(await take(...files), storedProperties(database.db), {
    database,
    limited: { cloud: [T], ground: [DOMAIN] },
    more: ({ generations }) => qualityHandlers({ db: database.db, generations }),
  });
});

afterAll(async () => {
  await server?.close();
  await database?.close();
});

interface Entry {
  readonly props: { readonly objectid: string };
}

describe('a hybrid organization', () => {
  test('has environments of both kinds', async () => {
    const { body } = await server.get('available-domains');
    expect(
      body.data.map(({ id, name, type, collected }: Record<string, unknown>) => [id, name, type, collected]),
    ).toEqual([
      [T, 'CONTOSO', 'azure', true],
      [DOMAIN, 'CORP.LOCAL', 'active-directory', true],
    ]);
    const limited = await server.get('available-domains', 'cloud');
    expect(limited.body.data.map(({ id }: { id: string }) => id)).toEqual([T]);
  });

  test('is searched completely, or by kind', async () => {
    const found = async (query: string): Promise<string[][]> =>
      (await server.get(`search?q=${query}`)).body.data.map(({ type, name }: Record<string, string>) => [
        type,
        name,
      ]);
    expect((await found('alice')).sort()).toEqual([
      ['AZUser', 'ALICE@CONTOSO.COM'],
      ['User', 'ALICE@CORP.LOCAL'],
    ]);
    expect(await found('alice&type=AZUser')).toEqual([['AZUser', 'ALICE@CONTOSO.COM']]);
    expect(await found('global%20admin')).toEqual([['AZRole', 'GLOBAL ADMINISTRATOR@CONTOSO']]);
    expect(await found(encodeURIComponent(VAULT.toLowerCase()))).toEqual([['AZKeyVault', 'VAULT']]);
  });

  test('has paths from Active Directory to an Entra ID role, and back', async () => {
    const kinds = async (start: string, end: string, filter = ''): Promise<string[]> => {
      const ends = `start_node=${encodeURIComponent(start)}&end_node=${encodeURIComponent(end)}`;
      const { status, body } = await server.get(`graphs/shortest-path?${ends}${filter}`);
      expect(status).toBe(200);
      const edges = body.data.edges as { source: string; target: string; kind: string }[];
      const nodes = body.data.nodes as Record<string, { objectId: string }>;
      const from = new Map(edges.map((edge) => [nodes[edge.source].objectId, edge]));
      const path: string[] = [];
      for (let at = start; at !== end; ) {
        const edge = from.get(at);
        if (edge === undefined) throw new Error(`the path ends at ${at}`);
        path.push(edge.kind);
        at = nodes[edge.target].objectId;
      }
      return path;
    };
    const assignments = '&relationship_kinds=in:SyncedToEntraUser,AZMemberOf,AZHasRole';
    expect(await kinds(ALICE_SID, ROLE, assignments)).toEqual([
      'SyncedToEntraUser',
      'AZMemberOf',
      'AZHasRole',
    ]);
    expect(await kinds('ALICE-ID', `${DOMAIN}-1200`)).toContain('SyncedToADUser');
    const rights = '&relationship_kinds=in:SyncedToEntraUser,AZMemberOf,AZOwner,AZContains';
    expect(await kinds(ALICE_SID, VAULT, rights)).toEqual([
      'SyncedToEntraUser',
      'AZMemberOf',
      'AZOwner',
      'AZContains',
      'AZContains',
    ]);
  });

  test('names its management groups after their tenant', async () => {
    const { body } = await server.get('azure/management-groups?object_id=/managementGroups/root');
    expect(body.data.props.name).toBe('ROOT@CONTOSO');
    expect(body.data.descendents.descendent_counts).toMatchObject({
      AZSubscription: 1,
      AZResourceGroup: 1,
      AZKeyVault: 1,
    });
    const found = await server.get('search?q=root@contoso');
    expect(found.body.data[0].type).toBe('AZManagementGroup');
  });

  test.each([
    // A member of a group of Global Administrators controls the tenant and everything in it.
    ['users', 'alice-id', { group_membership: 1, roles: 1, outbound_object_control: 11 }],
    // Staff is not role-assignable, so roles assigned to it do not apply to Bob.
    ['users', 'bob-id', { group_membership: 1, roles: 0, inbound_object_control: 2 }],
    ['groups', 'admins-id', { group_members: 1, roles: 1 }],
    ['roles', ROLE, { active_assignments: 2, pim_assignments: 1, approvers: 0 }],
    ['applications', 'app-id', { federated_identity_credentials: 1 }],
    ['service-principals', 'sp-id', { roles: 0 }],
    [
      'key-vaults',
      VAULT,
      { Readers: { KeyReaders: 0, CertificateReaders: 0, SecretReaders: 1, AllReaders: 1 } },
    ],
  ])('counts objects related to %s %s', async (segment, id, counts) => {
    const { status, body } = await server.get(`azure/${segment}?object_id=${encodeURIComponent(id)}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject(counts);
  });

  test('links an application with its service principal', async () => {
    const app = await server.get('azure/applications?object_id=app-id&counts=false');
    const principal = await server.get('cloud/service-principals?object_id=sp-id&counts=false');
    expect([app.body.data.props.service_principal_id, principal.body.data.props.appid]).toEqual([
      'SP-ID',
      'APP-ID',
    ]);
  });

  test.each([
    ['AZApp', 'app-id', 'inbound-control'],
    ['AZGroup', 'staff-id', 'group-membership group-members roles inbound-control outbound-control'],
    ['AZRole', ROLE, 'active-assignments'],
    [
      'AZServicePrincipal',
      'sp-id',
      'roles inbound-control outbound-control inbound-abusable-app-role-assignments outbound-abusable-app-role-assignments',
    ],
    [
      'AZUser',
      'bob-id',
      'group-membership roles outbound-execution-privileges inbound-control outbound-control',
    ],
    [
      'tenants',
      T,
      'inbound-control descendent-users descendent-groups descendent-management-groups descendent-subscriptions descendent-resource-groups descendent-virtual-machines descendent-managed-clusters descendent-vm-scale-sets descendent-container-registries descendent-web-apps descendent-automation-accounts descendent-key-vaults descendent-function-apps descendent-logic-apps descendent-applications descendent-service-principals descendent-devices',
    ],
  ])('answers every list that an integration requests of %s', async (segment, id, types) => {
    for (const type of types.split(' ')) {
      const target = `azure/${segment}?object_id=${encodeURIComponent(id)}&related_entity_type=${type}&skip=0&limit=128`;
      const { status, body } = await server.get(target);
      expect([type, status, body.count]).toEqual([type, 200, body.data.length]);
    }
  });

  test('detects a group that becomes role-assignable', async () => {
    const before = (await server.get('azure/users?object_id=bob-id')).body.data.roles;
    const promoted = item('AZGroup', { id: 'staff-id', displayName: 'Staff', isAssignableToRole: true });
    const content = { data: [promoted], meta: { type: 'azure', version: 5, count: 1 } };
    server.generations.swap(await take({ name: 'later.json', content }));
    const { body } = await server.get('azure/users?object_id=bob-id&related_entity_type=roles');
    expect([before, body.data.map(({ props }: Entry) => props.objectid)]).toEqual([0, [ROLE]]);
    // The completed name survives collections without it.
    const named = await server.get('azure/management-groups?object_id=/managementGroups/root&counts=false');
    expect(named.body.data.props.name).toBe('ROOT@CONTOSO');
  });
});

describe('the quality of its data', () => {
  test('is measured for the domain with each generation, newest first', async () => {
    const { status, body } = await server.get(`ad-domains/${DOMAIN.toLowerCase()}/data-quality-stats`);
    expect([status, body.count, body.skip, body.limit]).toEqual([200, 2, 0, 1000]);
    const [newest, oldest] = body.data;
    expect(newest.created_at > oldest.created_at).toBe(true);
    expect(newest).toMatchObject({
      domain_sid: DOMAIN,
      users: 1,
      computers: 4,
      acls: 1,
      sessions: 1,
      session_completeness: 0.5,
      local_group_completeness: 0.25,
      deleted_at: NOT_DELETED,
    });
    expect(newest.run_id).not.toBe(oldest.run_id);
  });

  test('is measured for the tenant', async () => {
    const { body } = await server.get(`azure-tenants/${T}/data-quality-stats?limit=1&sort_by=created_at`);
    expect([body.count, body.data.length]).toEqual([2, 1]);
    expect(body.data[0]).toMatchObject({
      tenantid: T,
      users: 2,
      groups: 2,
      apps: 1,
      service_principals: 1,
      devices: 0,
      management_groups: 1,
      subscriptions: 1,
      resource_groups: 1,
      vms: 0,
      key_vaults: 1,
    });
  });

  test('is summed by platform', async () => {
    const ad = (await server.get('platform/ad/data-quality-stats')).body;
    expect([ad.count, ad.data[0].domains, ad.data[0].computers]).toEqual([2, 1, 4]);
    const azure = (await server.get('platform/azure/data-quality-stats')).body;
    expect([azure.count, azure.data[0].tenants, azure.data[0].users]).toEqual([2, 1, 2]);
  });

  test('is reported by kind, and summed', async () => {
    const { body } = await server.get(`data-quality-stats?environment_id=${T}`);
    expect(body.data.length).toBe(body.count);
    const metric = body.data.find(({ metric_name }: { metric_name: string }) => metric_name === 'AZMemberOf');
    expect(metric).toMatchObject({ metric_type: 'relationship', metric_value: 2, environment_id: T });
    expect(new Set(body.data.map(({ id }: { id: number }) => id)).size).toBe(body.count);
    const kind = metric.environment_kind_id;
    const totals = await server.get(`data-quality-stats-aggregations?schema_environment_kind_id=${kind}`);
    expect(totals.body.data.map(({ id, metric_value }: typeof metric) => [id, metric_value])).toEqual(
      body.data.map(({ id, metric_value }: typeof metric) => [id, metric_value]),
    );
    const page = await server.get(`data-quality-stats?environment_id=${T}&skip=3&limit=2`);
    expect(page.body.data).toEqual(body.data.slice(3, 5));
  });

  test('shows how completely computers were scanned', async () => {
    expect((await server.get('completeness')).body).toEqual({
      data: { SessionCompleteness: 0.5, LocalGroupCompleteness: 0.25 },
    });
    expect((await server.get('completeness', 'cloud')).body).toEqual({
      data: { SessionCompleteness: 0, LocalGroupCompleteness: 0 },
    });
  });

  test('is limited by time', async () => {
    const path = `ad-domains/${DOMAIN}/data-quality-stats`;
    const [newest, oldest] = (await server.get(path)).body.data;
    const since = await server.get(`${path}?start=${newest.created_at}&end=2999-01-01T00:00:00Z`);
    expect([since.body.start, since.body.data]).toEqual([newest.created_at, [newest]]);
    const until = await server.get(`${path}?end=${oldest.created_at}`);
    expect(until.body.data).toEqual([oldest]);
  });

  test.each([
    ['ad-domains/S-1-5-21-404/data-quality-stats', 404],
    [`ad-domains/${T}/data-quality-stats`, 404],
    [`azure-tenants/${DOMAIN}/data-quality-stats`, 404],
    ['platform/vms/data-quality-stats', 400],
    ['data-quality-stats', 400],
    ['data-quality-stats?environment_id=X', 404],
    ['data-quality-stats-aggregations', 400],
    ['data-quality-stats-aggregations?schema_environment_kind_id=8&schema_extension_id=7', 404],
    ['data-quality-stats-aggregations?schema_environment_kind_id=12345', 200],
    [`ad-domains/${DOMAIN}/data-quality-stats?start=yesterday`, 400],
    [`ad-domains/${DOMAIN}/data-quality-stats?start=2026-01-02T00:00:00Z&end=2026-01-01T00:00:00Z`, 400],
    [`ad-domains/${DOMAIN}/data-quality-stats?sort_by=users`, 400],
    [`ad-domains/${DOMAIN}/data-quality-stats?skip=-1`, 400],
    [`ad-domains/${DOMAIN}/data-quality-stats?skip=9007199254740991`, 200],
  ])('%s answers %i', async (path, status) => {
    expect((await server.get(path)).status).toBe(status);
  });

  test('is limited to the environments of a limited caller', async () => {
    expect((await server.get(`azure-tenants/${T}/data-quality-stats`, 'ground')).status).toBe(403);
    expect((await server.get(`ad-domains/${DOMAIN}/data-quality-stats`, 'ground')).status).toBe(200);
    expect((await server.get('platform/azure/data-quality-stats', 'ground')).body.count).toBe(0);
    expect((await server.get('completeness', 'nobody')).status).toBe(403);
  });
});
