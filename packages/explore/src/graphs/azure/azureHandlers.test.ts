import { AZURE_ENTITY_TYPES, AZURE_RELATED_TYPES } from '@clew/api';
import { noMarks, setMark } from '@clew/generation';
import { graphOf, type TestEdge, type TestNode } from '@clew/graph/testing';
import { EdgeKind, NodeKind, type NodeKindName } from '@clew/model';
import { generationOf } from '@clew/queries/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  literalProperties,
  type QueryServer,
  SEEN_AT,
  startQueryServer,
} from '../../../test/graphs/queryServer.ts';
import { appearanceOf } from '../render/appearance.ts';

const T = '11111111-0000-4000-8000-000000000001';
const FOREIGN = '22222222-0000-4000-8000-000000000002';

const node = (id: string, kind: NodeKindName, environment: string | null = T, props = {}): TestNode => ({
  id,
  kinds: [NodeKind.AZBase, NodeKind[kind]],
  name: `${id}@CONTOSO`,
  ...(environment === null ? {} : { environment }),
  props,
});

const nodes: readonly TestNode[] = [
  node(T, 'AZTenant'),
  node(FOREIGN, 'AZTenant', FOREIGN),
  node('ALICE', 'AZUser', T, { displayname: 'Alice', userprincipalname: 'alice@contoso' }),
  node('BOB', 'AZUser'),
  node('EVE', 'AZUser', FOREIGN),
  node('ADMINS', 'AZGroup'),
  node('STAFF', 'AZGroup'),
  node('GLOBAL', 'AZRole'),
  node('APP', 'AZApp'),
  node('SP', 'AZServicePrincipal'),
  node('SP-ABROAD', 'AZServicePrincipal', FOREIGN),
  node('LONELY-APP', 'AZApp'),
  node('CREDENTIAL', 'AZFederatedIdentityCredential'),
  node('GRAPH', 'AZServicePrincipal'),
  node('SUB', 'AZSubscription'),
  node('RG', 'AZResourceGroup'),
  node('VAULT', 'AZKeyVault'),
  node('VM', 'AZVM'),
  ...AZURE_ENTITY_TYPES.filter(({ segment }) => segment !== 'az-base').map(({ kind }) =>
    node(`A-${kind.toUpperCase()}`, kind),
  ),
  { id: 'STUB', kinds: [NodeKind.AZBase], environment: T },
  { id: 'S-1-5-21-1-1101', kinds: [NodeKind.Base, NodeKind.User], name: 'ALICE@CORP' },
];

const edges: readonly TestEdge[] = [
  ...['ALICE', 'BOB', 'ADMINS', 'STAFF', 'GLOBAL', 'APP', 'SP', 'SUB'].map(
    (id): TestEdge => [T, EdgeKind.AZContains, id],
  ),
  ['SUB', EdgeKind.AZContains, 'RG'],
  ['RG', EdgeKind.AZContains, 'VAULT'],
  ['RG', EdgeKind.AZContains, 'VM'],
  ['ALICE', EdgeKind.AZMemberOf, 'ADMINS'],
  ['BOB', EdgeKind.AZMemberOf, 'STAFF'],
  ['EVE', EdgeKind.AZMemberOf, 'STAFF'],
  ['ADMINS', EdgeKind.AZHasRole, 'GLOBAL'],
  ['STAFF', EdgeKind.AZHasRole, 'GLOBAL'],
  ['BOB', EdgeKind.AZRoleEligible, 'GLOBAL'],
  ['ADMINS', EdgeKind.AZOwner, 'SUB'],
  ['STAFF', EdgeKind.AZGetSecrets, 'VAULT'],
  ['ALICE', EdgeKind.AZOwns, 'STAFF'],
  ['BOB', EdgeKind.AZVMAdminLogin, 'VM'],
  ['APP', EdgeKind.AZRunsAs, 'SP'],
  ['APP', EdgeKind.AZRunsAs, 'SP-ABROAD'],
  ['CREDENTIAL', EdgeKind.AZAuthenticatesTo, 'APP'],
  ['SP', EdgeKind.AZMGApplication_ReadWrite_All, 'GRAPH'],
  ['ALICE', EdgeKind.SyncedToADUser, 'S-1-5-21-1-1101'],
];

/** Objects with some non-empty lists. */
const CONNECTED: Readonly<Record<string, string>> = {
  users: 'ALICE',
  groups: 'STAFF',
  tenants: T,
  subscriptions: 'SUB',
  'resource-groups': 'RG',
  vms: 'VM',
  'key-vaults': 'VAULT',
  applications: 'APP',
  'service-principals': 'SP',
  roles: 'GLOBAL',
};

let server: QueryServer;

beforeAll(async () => {
  const world = graphOf({ nodes, edges });
  const marks = noMarks(world.graph.nodeCount);
  setMark(marks, 'roleAssignable', world.node('ADMINS'));
  setMark(marks, 'tierZero', world.node('GLOBAL'));
  const generation = generationOf(world.graph, { marks, environments: [T, FOREIGN] });
  server = await startQueryServer(generation, literalProperties(world), { limited: { limited: [T] } });
});

afterAll(() => server.close());

const related = (id: string, type: string, more = '') =>
  server.get(`azure/az-base?object_id=${id}&related_entity_type=${type}${more}`);
const ids = (reply: { body: { data: { props: { objectid: string } }[] } }): string[] =>
  reply.body.data.map(({ props }) => props.objectid);
const message = (reply: { status: number; body: { errors: { message: string }[] } }) => [
  reply.status,
  reply.body.errors?.[0].message,
];

describe('details of an Azure object', () => {
  test('have kinds, properties under both names, tags and counts', async () => {
    const { status, body } = await server.get('azure/users?object_id=alice');
    const props = {
      displayname: 'Alice',
      userprincipalname: 'alice@contoso',
      name: 'ALICE@CONTOSO',
      objectid: 'ALICE',
      lastseen: SEEN_AT,
    };
    expect([status, body]).toEqual([
      200,
      {
        data: {
          kind: 'AZUser',
          kinds: ['AZBase', 'AZUser'],
          props,
          properties: props,
          isTierZero: false,
          isOwnedObject: false,
          group_membership: 1,
          roles: 1,
          execution_privileges: 0,
          // The subscription with its group, vault and virtual machine, and the group that she owns.
          outbound_object_control: 5,
          inbound_object_control: 1,
        },
      },
    ]);
  });

  test('have no counts unless requested', async () => {
    const { body } = await server.get('azure/users?object_id=ALICE&counts=false');
    expect(Object.keys(body.data)).toEqual([
      'kind',
      'kinds',
      'props',
      'properties',
      'isTierZero',
      'isOwnedObject',
    ]);
  });

  test('of a tenant count its contents by kind', async () => {
    const { body } = await server.get(`azure/tenants?object_id=${T}`);
    expect(body.data.descendents.descendent_counts).toEqual({
      AZUser: 2,
      AZGroup: 2,
      AZManagementGroup: 0,
      AZSubscription: 1,
      AZResourceGroup: 1,
      AZVM: 1,
      AZManagedCluster: 0,
      AZVMScaleSet: 0,
      AZContainerRegistry: 0,
      AZWebApp: 0,
      AZLogicApp: 0,
      AZAutomationAccount: 0,
      AZKeyVault: 1,
      AZApp: 1,
      AZServicePrincipal: 1,
      AZDevice: 0,
      AZFunctionApp: 0,
    });
    expect(body.data.inbound_object_control).toBe(0);
  });

  test.each([
    ['subscriptions', 'SUB', 'AZResourceGroup,AZVM,AZManagedCluster'],
    ['resource-groups', 'RG', 'AZVM,AZManagedCluster,AZVMScaleSet'],
    ['management-groups', 'A-AZMANAGEMENTGROUP', 'AZManagementGroup,AZSubscription,AZResourceGroup'],
  ])('of %s count the kinds that it may contain', async (segment, id, first) => {
    const { body } = await server.get(`azure/${segment}?object_id=${id}`);
    expect(Object.keys(body.data.descendents.descendent_counts).slice(0, 3).join()).toBe(first);
  });

  test('of a vault count its readers', async () => {
    const { body } = await server.get('azure/key-vaults?object_id=VAULT');
    expect(body.data.Readers).toEqual({
      KeyReaders: 0,
      CertificateReaders: 0,
      SecretReaders: 2,
      AllReaders: 2,
    });
  });

  test.each([
    ['applications', 'APP', 'service_principal_id', 'SP'],
    ['applications', 'LONELY-APP', 'service_principal_id', ''],
    ['service-principals', 'SP', 'appid', 'APP'],
    ['service-principals', 'SP-ABROAD', 'appid', 'APP'],
    ['federated-identity-credentials', 'CREDENTIAL', 'appid', 'APP'],
  ])('of %s %s name %s', async (segment, id, property, wanted) => {
    const { body } = await server.get(`azure/${segment}?object_id=${id}&counts=false`);
    expect([body.data.props[property], body.data.properties[property]]).toEqual([wanted, wanted]);
  });

  test.each(['roles', 'AZRole', 'azrole', 'ROLES'])('are available under %s', async (segment) => {
    for (const provider of ['azure', 'cloud']) {
      const { status, body } = await server.get(`${provider}/${segment}?object_id=GLOBAL`);
      expect([status, body.data.isTierZero, body.data.active_assignments, body.data.pim_assignments]).toEqual(
        [200, true, 3, 1],
      );
    }
  });

  test('of automation accounts are available under the spelling of an integration', async () => {
    const reply = await server.get('azure/automationaccounts?object_id=A-AZAUTOMATIONACCOUNT&counts=false');
    expect([reply.status, reply.body.data.kind]).toEqual([200, 'AZAutomationAccount']);
  });

  test.each(AZURE_ENTITY_TYPES.filter(({ segment }) => segment !== 'az-base'))(
    'of $segment have each of its counts, which equals the length of its list and of its graph',
    async ({ segment, kind, counts }) => {
      const id = CONNECTED[segment] ?? `A-${kind.toUpperCase()}`;
      const { status, body } = await server.get(`azure/${segment}?object_id=${id}`);
      expect(status).toBe(200);
      for (const [place, type] of counts) {
        const count = place.reduce<unknown>(
          (at, key) => (at as Readonly<Record<string, unknown>>)[key],
          body.data,
        );
        expect([type, (await related(id, type)).body.count]).toEqual([type, count]);
        const graph = (await related(id, type, '&type=graph')).body;
        const shown = Object.keys(graph).filter((key) => !key.startsWith('rel_'));
        // The entity itself, and the entries.
        expect([type, shown.length]).toEqual([type, Number(count) + 1]);
      }
    },
  );
});

describe('a related list of an Azure object', () => {
  test.each([
    ['GLOBAL', 'active-assignments', ['ALICE', 'BOB', 'EVE']],
    ['GLOBAL', 'pim-assignments', ['BOB']],
    // Staff cannot hold roles: roles assigned to it do not apply to its members.
    ['BOB', 'roles', []],
    ['ALICE', 'roles', ['GLOBAL']],
    ['ALICE', 'outbound-control', ['RG', 'STAFF', 'SUB', 'VAULT', 'VM']],
    ['SUB', 'inbound-control', [T, 'ADMINS', 'ALICE']],
    ['VM', 'inbound-execution-privileges', ['BOB']],
    ['BOB', 'outbound-execution-privileges', ['VM']],
    ['GRAPH', 'inbound-abusable-app-role-assignments', ['SP']],
    ['SP', 'outbound-abusable-app-role-assignments', ['GRAPH']],
    ['APP', 'federated-identity-credentials', ['CREDENTIAL']],
    [T, 'descendent-key-vaults', ['VAULT']],
    ['STAFF', 'group-members', ['BOB', 'EVE']],
  ])('of %s: %s', async (id, type, wanted) => {
    const reply = await related(id, type);
    expect(ids(reply)).toEqual(wanted);
    expect([reply.body.count, reply.body.skip, reply.body.limit]).toEqual([wanted.length, 0, 100]);
    const graph = (await related(id, type, '&type=graph')).body as Record<
      string,
      { data: { objectid: string } }
    >;
    const shown = Object.entries(graph).flatMap(([key, { data }]) =>
      key.startsWith('rel_') ? [] : [data.objectid],
    );
    expect(shown.sort()).toEqual([id, ...wanted].sort());
  });

  test('has the entries of the details, with their properties', async () => {
    const { body } = await related('GLOBAL', 'active-assignments', '&limit=1');
    const alone = await server.get('azure/users?object_id=ALICE&counts=false');
    expect([body.count, body.data]).toEqual([3, [alone.body.data]]);
  });

  test.each([
    ['skip=1&limit=1', ['BOB']],
    ['skip=3', []],
    ['skip=900&limit=0', []],
  ])('is limited by %s', async (paging, wanted) => {
    const reply = await related('GLOBAL', 'active-assignments', `&${paging}`);
    expect([reply.status, reply.body.count, ids(reply)]).toEqual([200, 3, wanted]);
  });

  test.each(Object.keys(AZURE_RELATED_TYPES))('%s is answered for any object', async (type) => {
    for (const id of ['STUB', 'A-AZROLE', T]) {
      const reply = await related(id, type, '&skip=0&limit=128');
      expect([reply.status, typeof reply.body.count]).toEqual([200, 'number']);
    }
  });

  test('shows the target of a path in the graph', async () => {
    const { body } = await related('ALICE', 'roles', '&type=graph');
    const ways = Object.values<{ lineStyle?: string; data: { through?: string[] } }>(body).filter(
      ({ lineStyle }) => lineStyle === 'dashed',
    );
    expect(ways.map(({ data }) => data.through)).toEqual([['ADMINS@CONTOSO']]);
    const whole = await related('ALICE', 'roles', '&type=graph&connecting=true');
    expect(Object.keys(whole.body).filter((key) => !key.startsWith('rel_')).length).toBe(3);
  });
});

describe('a request for an Azure object is refused', () => {
  test.each([
    ['azure/users', 400, 'query parameter object_id is required'],
    ['azure/users?object_id=', 400, 'query parameter object_id is required'],
    ['azure/nonsense', 400, 'query parameter object_id is required'],
    ['azure/nonsense?object_id=ALICE', 400, 'there are errors in the query parameter filters specified'],
    [
      'azure/users?object_id=ALICE&counts=x',
      400,
      'there are errors in the query parameter filters specified',
    ],
    ['azure/users?object_id=NOBODY', 404, 'not found'],
    ['azure/groups?object_id=ALICE', 404, 'not found'],
    ['azure/az-base?object_id=S-1-5-21-1-1101', 404, 'not found'],
    ['azure/users?object_id=NOBODY&related_entity_type=roles', 404, 'not found'],
    [
      'azure/users?object_id=ALICE&related_entity_type=friends',
      404,
      'no matching related entity list type for friends',
    ],
    [
      'azure/users?object_id=ALICE&related_entity_type=toString&type=graph',
      404,
      'no matching related entity list type for toString',
    ],
    [
      'azure/users?object_id=ALICE&related_entity_type=roles&type=tree',
      400,
      'query parameter "type" is malformed: must be one of list, graph',
    ],
    [
      'azure/users?object_id=ALICE&related_entity_type=roles&skip=-1',
      400,
      'query parameter "skip" is malformed: must be at least 0',
    ],
  ])('%s', async (path, status, text) => {
    expect(message(await server.get(path))).toEqual([status, text]);
  });

  test('without the permission, and outside the environments of the caller', async () => {
    expect((await server.get('azure/users?object_id=ALICE', 'nobody')).status).toBe(403);
    for (const more of ['', '&related_entity_type=roles']) {
      expect(message(await server.get(`azure/users?object_id=EVE${more}`, 'limited'))).toEqual([
        403,
        'User does not have permission to access this domain',
      ]);
    }
  });
});

describe('a caller limited to a tenant', () => {
  test('gets lists and counts of its contents', async () => {
    const reply = await server.get(
      'azure/groups?object_id=STAFF&related_entity_type=group-members',
      'limited',
    );
    expect([reply.body.count, ids(reply)]).toEqual([1, ['BOB']]);
    const details = await server.get('azure/groups?object_id=STAFF', 'limited');
    expect(details.body.data.group_members).toBe(1);
  });

  test('sees others in graphs as placeholders', async () => {
    const reply = await server.get(
      'azure/groups?object_id=STAFF&related_entity_type=group-members&type=graph',
      'limited',
    );
    const names = Object.values<{ label: { text: string } }>(reply.body).map(({ label }) => label.text);
    expect(names).toContain('** Hidden AZUser Object **');
    expect(JSON.stringify(reply.body)).not.toContain('EVE');
  });
});

test('a page larger than one piece is complete', async () => {
  const members = Array.from({ length: 1_201 }, (_, at) => `M${String(at).padStart(4, '0')}`);
  const world = graphOf({
    nodes: [node('ALL', 'AZGroup', null), ...members.map((id) => node(id, 'AZUser', null))],
    edges: members.map((id): TestEdge => [id, EdgeKind.AZMemberOf, 'ALL']),
  });
  const other = await startQueryServer(generationOf(world.graph), literalProperties(world));
  try {
    const path = 'azure/groups?object_id=ALL&related_entity_type=group-members';
    expect(ids(await other.get(`${path}&limit=1300`))).toEqual(members);
    const cut = await other.get(`${path}&skip=1&limit=1100`);
    expect([cut.body.count, cut.body.skip, cut.body.limit]).toEqual([1_201, 1, 1_100]);
    expect(ids(cut)).toEqual(members.slice(1, 1_101));
  } finally {
    await other.close();
  }
});

test.each(AZURE_ENTITY_TYPES.filter(({ segment }) => segment !== 'az-base'))(
  'objects of kind $kind have an icon in graphs',
  ({ kind }) => {
    expect(appearanceOf(kind)).not.toEqual(appearanceOf('Nonsense'));
  },
);
