import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CollectionSource, readCollection, sourceFromBytes } from '@clew/collections';
import { TENANT_FIELDS } from '@clew/model';
import { generate } from 'selfsigned';
import { describe, expect, it } from 'vitest';
import { GRAPH_SECRET, type GraphWorld, simulatedGraph, TENANT, UNIT } from '../../test/simulatedGraph.ts';
import {
  GROUP,
  INNER_GROUP,
  MACHINE,
  MANAGEMENT_GROUP,
  SITE,
  SUBSCRIPTION,
  VAULT,
} from '../../test/simulatedResources.ts';
import { GraphClient } from './graphClient.ts';
import type { GraphCredentials } from './graphSignIn.ts';
import { readTenant, type TenantReport } from './readTenant.ts';

const SMALL: GraphWorld = { users: 200, groups: 45, applications: 30 };
const secret: GraphCredentials = { kind: 'secret', secret: GRAPH_SECRET };

interface Read {
  readonly report: TenantReport;
  /** Records as texts, in order. */
  readonly records: readonly string[];
}

async function read(world: GraphWorld, credentials: GraphCredentials = secret): Promise<Read> {
  await using graph = await simulatedGraph(world);
  const places = { graph: graph.origin, login: graph.origin };
  const account = { tenant: 'lab.example', clientId: 'client', credentials };
  const client = new GraphClient(places, account);
  const manager = new GraphClient(places, account, client);
  const records: string[] = [];
  const report = await readTenant(
    client,
    async (kind, data) => {
      records.push(JSON.stringify({ kind, data }));
    },
    { manager },
  );
  return { report, records };
}

const source = (records: readonly string[]): CollectionSource =>
  sourceFromBytes(
    'clew_azure.json',
    Buffer.from(
      `{"data":[${records.join(',')}],"meta":{"type":"azure","version":5,"count":${records.length}}}`,
    ),
  );

/** The small tenant, read once for several tests. */
let ofSmall: Promise<Read> | undefined;
const readSmall = (): Promise<Read> => {
  ofSmall ??= read(SMALL);
  return ofSmall;
};

it('reads each part of a tenant as records that the service supports', async () => {
  const { report, records } = await readSmall();
  expect(report.notes).toEqual([]);
  expect(report.tenantId).toBe(TENANT);
  expect(report.counts).toMatchObject({
    ...{ AZTenant: 1, AZUser: 200, AZGroup: 45, AZGroupMember: 45, AZGroupOwner: 45, AZDevice: 1, AZApp: 30 },
    ...{ AZDeviceOwner: 1 },
    ...{
      AZAppOwner: 30,
      AZServicePrincipal: 31,
      AZServicePrincipalOwner: 31,
      AZAppRoleAssignment: 1,
      AZRole: 3,
    },
    ...{ AZRoleAssignment: 3, AZRoleEligibilityScheduleInstance: 1, AZRoleManagementPolicyAssignment: 1 },
    ...{ AZAdministrativeUnit: 1, AZFederatedIdentityCredential: 1 },
  });
  const reading = readCollection(source(records));
  const edges: string[] = [];
  for await (const batch of reading)
    for (const { edgeSets } of batch)
      for (const set of edgeSets) for (const { kind, endId } of set.edges) edges.push(`${kind} ${endId}`);
  expect(reading.report.fault).toBeUndefined();
  expect(reading.report.issues.map(({ reason }) => reason)).toEqual([
    'roles for an administrative unit apply only to its members; if no file contains these, they apply to no one',
  ]);
  // A role for one application leads to its client id, and a role for a unit to the unit.
  expect(edges).toContain('AZAppAdmin 00000004-0000-4000-8000-000000000001');
  expect(edges).toContain(`AZScopedTo ${UNIT}`);
  expect(edges.filter((edge) => edge === `AZMemberOf ${UNIT}`)).toHaveLength(2);
  const settings = records.find((record) => record.includes('AZRoleManagementPolicyAssignment'));
  expect(settings).toContain('"endUserAssignmentRequiresApproval":true');
  expect(settings).not.toContain('endUserAssignmentRequiresMFA');
});

/** Edges as texts, and properties by object id. */
async function factsOf(records: readonly string[]) {
  const edges: string[] = [];
  const properties = new Map<string, Readonly<Record<string, unknown>>>();
  for await (const batch of readCollection(source(records)))
    for (const { nodes, edgeSets } of batch) {
      for (const node of nodes) if (node.described) properties.set(node.objectId, node.properties);
      for (const set of edgeSets)
        for (const { startId, kind, endId } of set.edges) edges.push(`${startId} ${kind} ${endId}`);
    }
  return { edges, properties };
}

it('reads service principals as members and owners of groups, which version 1.0 of Graph leaves out', async () => {
  const { edges } = await factsOf((await readSmall()).records);
  const [principal, group] = ['00000005-0000-4000-8000-000000000002', '00000002-0000-4000-8000-000000000001'];
  expect(edges).toContain(`${principal} AZMemberOf ${group}`);
  expect(edges).toContain(`${principal} AZOwns ${group}`);
});

it('reads the properties of tenants that findings need', async () => {
  const { report, records } = await readSmall();
  expect(report.notes).toEqual([]);
  const { properties, edges } = await factsOf(records);
  const of = (kind: number, number: number) =>
    properties.get(`0000000${kind}-0000-4000-8000-00000000000${number}`);
  expect(of(1, 2)).toMatchObject({ lastsuccessfulsignindatetime: '2026-01-01T00:00:00Z' });
  expect(of(1, 3)).not.toHaveProperty('lastsuccessfulsignindatetime');
  expect([of(2, 1)?.membershiprule, of(2, 2)?.membershiprule]).toEqual(['user.department -eq "IT"', '']);
  expect(of(6, 1)).toMatchObject({ ismanaged: false });
  expect(edges).toContain('00000001-0000-4000-8000-000000000000 AZOwns 00000006-0000-4000-8000-000000000001');
  expect(of(4, 0)).toMatchObject({ validcredentialcount: 1, expiredcredentialcount: 1 });
  expect(of(4, 0)?.longestcredentialdays).toBeGreaterThan(350_000);
  expect(of(4, 1)).toMatchObject({ validcredentialcount: 0, expiredcredentialcount: 0 });
  // The first characters of secrets stay in the tenant.
  expect(records.join('')).not.toContain('hint');
});

it('fills each field of tenants that findings and rules read', async () => {
  const filled = new Set<string>();
  for await (const batch of readCollection(source((await readSmall()).records)))
    for (const { nodes } of batch)
      for (const { properties } of nodes)
        for (const [key, value] of Object.entries(properties)) if (value !== null) filled.add(key);
  expect(TENANT_FIELDS.filter((field) => !filled.has(field))).toEqual([]);
});

it('reads users also if Graph refuses their sign-ins, for which it asks once', async () => {
  const { report } = await read({ ...SMALL, hasSignIns: false });
  expect(report.notes.map(({ count }) => count)).toEqual([1]);
  expect(report.counts.AZUser).toBe(200);
  expect(report.notes.map(({ what }) => what)).toEqual([
    'last sign-ins of users (they need Entra ID P1) were not read',
  ]);
});

it('reads Azure resources and who controls them, as records that the service supports', async () => {
  const { report, records } = await read({ ...SMALL, pageSize: 1 });
  expect(report.notes).toEqual([]);
  expect(report.counts).toMatchObject({
    ...{ AZManagementGroup: 2, AZManagementGroupDescendant: 2, AZSubscription: 1, AZResourceGroup: 1 },
    ...{ AZKeyVault: 1, AZKeyVaultAccessPolicy: 1, AZVM: 1, AZFunctionApp: 1, AZVMAvereContributor: 1 },
  });
  const edges: string[] = [];
  const reading = readCollection(source(records));
  for await (const batch of reading)
    for (const { edgeSets } of batch)
      for (const set of edgeSets)
        for (const { kind, startId, endId } of set.edges) edges.push(`${startId} ${kind} ${endId}`);
  expect(reading.report.fault).toBeUndefined();
  const [root, inner, main, group, vault, machine, site] = [
    ...[MANAGEMENT_GROUP, INNER_GROUP, SUBSCRIPTION, GROUP, VAULT, MACHINE, SITE],
  ].map((id) => id.toUpperCase());
  const user = (number: number): string => `00000001-0000-4000-8000-0000000000${number}`;
  expect(edges.filter((edge) => /SUBSCRIPTIONS|MANAGEMENTGROUPS/.test(edge)).sort()).toEqual(
    [
      ...[`${TENANT} AZContains ${root}`, `${root} AZContains ${main}`, `${TENANT} AZContains ${main}`],
      ...[`${main} AZContains ${group}`, `${group} AZContains ${vault}`, `${group} AZContains ${machine}`],
      ...[`${group} AZContains ${site}`, `${machine} AZManagedIdentity ${user(18)}`],
      ...[`${user(11)} AZOwner ${root}`, `${user(12)} AZOwner ${main}`, `${user(14)} AZOwner ${group}`],
      ...[`${user(15)} AZVMContributor ${machine}`, `${user(16)} AZWebsiteContributor ${site}`],
      ...[`${TENANT} AZContains ${inner}`, `${root} AZContains ${inner}`],
      // Elevated access, on the scope above all groups.
      ...[`${user(17)} AZGetSecrets ${vault}`, `${user(19)} AZUserAccessAdministrator ${root}`],
    ].sort(),
  );
});

it.each([
  ['all groups', '/providers/Microsoft.Management/managementGroups', [11, 19]],
  ['roles of the root', `${MANAGEMENT_GROUP}/providers/Microsoft.Authorization`, [11, 19]],
  ['nothing', '/nothing', []],
])('records inherited roles for a subscription if %s cannot be read', async (_, refused, inherited) => {
  const { report, records } = await read({ ...SMALL, refused: [refused] });
  const held = records
    .map((record) => JSON.parse(record))
    .filter(({ kind }) => ['AZSubscriptionOwner', 'AZSubscriptionUserAccessAdmin'].includes(kind))
    .flatMap(({ data }) => [...(data.owners ?? []), ...(data.userAccessAdmins ?? [])])
    .map(({ owner, userAccessAdmin }) => (owner ?? userAccessAdmin).properties);
  // The own scope of an inherited assignment is kept, because it is removed there.
  for (const { principalId, assignedScope } of held)
    expect(assignedScope === undefined || assignedScope === SUBSCRIPTION).toBe(
      !inherited.some((number) => principalId.endsWith(`00${number}`)),
    );
  expect(held.map(({ principalId, scope }) => [principalId, scope]).sort()).toEqual(
    [...inherited, 12].map((number) => [`00000001-0000-4000-8000-0000000000${number}`, SUBSCRIPTION]).sort(),
  );
  const noted = report.notes.filter(({ what }) =>
    what.startsWith('roles on management groups that cannot be'),
  );
  expect(noted.map(({ count }) => count)).toEqual(inherited.length === 0 ? [] : [2]);
});

it('reports that no subscription is visible, and what Azure refused', async () => {
  const unseen = await read({ ...SMALL, sees: 'nothing of Azure' });
  expect(unseen.report.notes.map(({ what }) => what)).toEqual([
    expect.stringContaining('no Azure subscription is visible: without the Reader role'),
  ]);
  const { report } = await read({ ...SMALL, refused: [`${SUBSCRIPTION}/providers/Microsoft.KeyVault`] });
  expect(report.notes.map(({ what }) => what)).toEqual(['subscription Main: vaults were not read']);
  expect(report.counts).toMatchObject({ AZVM: 1, AZSubscriptionOwner: 1 });
});

describe('refusals', () => {
  it('do not change the result: single pauses and pauses in batches, small pages, tokens that expire early', async () => {
    const large = { users: 1_500, groups: 200, applications: 100 };
    const whole = await read(large);
    const refused = await read({ ...large, throttleEvery: 11, pageSize: 60, tokenMs: 300 });
    expect(refused.report.throttled).toBeGreaterThan(55);
    expect([...refused.records].sort()).toEqual([...whole.records].sort());
    expect(refused.report.notes).toEqual([]);
  });

  it('of parts become notes, and the run continues', async () => {
    const { report } = await read({
      ...SMALL,
      refused: ['/roleManagement/directory/roleEligibility', '/policies', '/groups/'],
    });
    expect(report.notes.map(({ what, count }) => `${what}: ${count}`)).toEqual([
      'members of groups: status 403: 45',
      'owners of groups: status 403: 45',
      'eligible roles (they need Entra ID P2) were not read: 1',
      'settings of roles (they need Entra ID P2) were not read: 1',
    ]);
    expect(report.counts).toMatchObject({ AZUser: 200, AZRoleAssignment: 3 });
  });

  it('of the whole tenant name the required permission', async () => {
    await expect(read({ ...SMALL, refused: ['/organization'] })).rejects.toThrow(
      'needs the permission Directory.Read.All',
    );
  });

  it('of a sign-in are final and do not show the secret', async () => {
    const failure = await read(SMALL, { kind: 'secret', secret: 'wrong-secret-999' }).catch(
      (error: Error) => error.message,
    );
    expect(failure).toBe('sign-in at Entra ID: AADSTS7000215: Invalid client secret provided.');
  });
});

it('follows only links to the same server', async () => {
  const elsewhere = read({ ...SMALL, pageSize: 10, linkOrigin: 'http://127.0.0.2:9' });
  await expect(elsewhere).rejects.toThrow('a link leads to another server (http://127.0.0.2:9)');
});

it('signs in with a certificate, and with a code that a user enters', async () => {
  const pem = await generate([{ name: 'commonName', value: 'clew' }], { keySize: 2048 });
  const certificate = {
    kind: 'certificate',
    certificate: Buffer.from(pem.cert),
    key: Buffer.from(pem.private),
  } as const;
  expect((await read({ ...SMALL, certificate: pem.cert }, certificate)).report.counts.AZUser).toBe(200);
  const other = await generate([{ name: 'commonName', value: 'other' }], { keySize: 2048 });
  await expect(read({ ...SMALL, certificate: other.cert }, certificate)).rejects.toThrow('AADSTS7000215');
  const codes: string[] = [];
  const byCode = { kind: 'deviceCode', onCode: (message: string) => void codes.push(message) } as const;
  const { report } = await read({ ...SMALL, pending: 1, tokenMs: 200 }, byCode);
  expect([codes, report.counts.AZUser]).toEqual([['Enter ABCD'], 200]);
});

/** Queries a server that gives every request except the sign-in the same answer. @returns the error */
async function failureOf(
  answer: (response: ServerResponse) => unknown,
  signal?: AbortSignal,
): Promise<Error> {
  const token = JSON.stringify({ access_token: 'a', expires_in: 3600 });
  const server = createServer(({ url }, response) =>
    url?.includes('/token') ? response.end(token) : answer(response),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const account = { tenant: 'lab.example', clientId: 'client', credentials: secret, signal };
  const client = new GraphClient({ graph: origin, login: origin }, account);
  try {
    await client.list('/v1.0/users').next();
  } catch (error) {
    return error as Error;
  } finally {
    server.closeAllConnections();
    server.close();
  }
  throw new Error('the answer was taken');
}

it('does not treat an answer without a list as an empty list', async () => {
  expect((await failureOf((response) => response.end('<html>'))).message).toContain(
    'does not contain the expected list',
  );
});

it('names the server whose answer is cut off, without reporting a program error', async () => {
  const failure = await failureOf((response) =>
    response.writeHead(200, { 'content-length': 99 }).write('{', () => response.destroy()),
  );
  expect(failure.message).toMatch(/^127\.0\.0\.1:\d+ cannot be reached: /);
  expect(failure).not.toBeInstanceOf(TypeError);
});

it.each([
  ['a pause', (response: ServerResponse) => response.writeHead(429, { 'retry-after': '60' }).end()],
  ['a request', () => undefined],
])('ends within %s when its run is canceled', async (_, answer) => {
  const ending = new AbortController();
  setTimeout(() => ending.abort(), 200);
  const failure = await failureOf(answer, ending.signal);
  expect(failure.name).toBe('AbortError');
});
