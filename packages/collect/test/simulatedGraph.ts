/** A simulated Microsoft Graph, based on its public documentation: sign-ins, pages, batches, pauses, refusals, expiring tokens. */
import { createHash, verify, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resourceLists } from './simulatedResources.ts';

export interface GraphWorld {
  readonly users: number;
  readonly groups: number;
  readonly applications: number;
  /** One of this many answers requests a pause instead. */
  readonly throttleEvery?: number;
  /** Paths that the application may not read. */
  readonly refused?: readonly string[];
  readonly tokenMs?: number;
  readonly pageSize?: number;
  /** PEM of the certificate that may sign in. */
  readonly certificate?: string;
  /** Number of answers before the user has entered the code. */
  readonly pending?: number;
  /** False without Entra ID P1: sign-in activity cannot be selected. */
  readonly hasSignIns?: false;
  /** Without the role Reader, Azure lists are empty. */
  readonly sees?: 'nothing of Azure';
  /** Origin of links to next pages. */
  readonly linkOrigin?: string;
}

export interface SimulatedGraph extends AsyncDisposable {
  readonly origin: string;
  readonly throttled: number;
  /** Adds an object to a list such as `/users`, or changes it. */
  put(list: string, object: Item & { readonly id: string }): void;
  remove(list: string, id: string): void;
  /** Graph does not list sign-ins as changes. */
  signIn(user: string, signInActivity: object): void;
  /** Sets a related list such as `/groups/{id}/members`. */
  relate(path: string, items: readonly Item[]): void;
  /** Ids of a list. */
  ids(list: string): readonly string[];
  /** Refuses these paths from now on, in place of those of the last call. Changes of a list are refused by their own path. */
  refuse(...paths: readonly string[]): void;
  /** Forgets all changes so far. */
  forgetChanges(): void;
}

export const GRAPH_SECRET = 'right-secret-123';

type Item = Record<string, unknown>;

const id = (kind: number, number: number): string =>
  `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`;

export const TENANT = id(9, 1);
export const UNIT = id(8, 7);
const GLOBAL_ADMINISTRATOR = '62e90394-69f5-4237-9190-012177145e10';
const APPLICATION_ADMINISTRATOR = '9b895d92-2cd3-44c7-9d02-a6ac2d5ea5c3';
const USER_ADMINISTRATOR = 'fe930be7-5e62-47db-91af-98c3a49a38b1';
const user = (number: number): Item => ({ '@odata.type': '#microsoft.graph.user', id: id(1, number) });

const principal = (number: number): Item => ({
  '@odata.type': '#microsoft.graph.servicePrincipal',
  id: id(5, number),
});

/** Lists of groups in version 1.0 leave out service principals. */
const isLeftOut = (item: Item, pathname: string): boolean =>
  /^\/v1\.0\/groups\/[^/]+\/(?:members|owners)$/.test(pathname) &&
  item['@odata.type'] === '#microsoft.graph.servicePrincipal';

function listsOf(world: GraphWorld): Readonly<Record<string, readonly Item[]>> {
  const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
  const applications = numbers(world.applications).map((at) => ({
    ...{ id: id(3, at), appId: id(4, at), displayName: `App ${at}`, publisherDomain: 'lab.example' },
    keyCredentials: [],
    // The first has an expired secret and a long valid one.
    passwordCredentials: [
      { hint: 'abc', startDateTime: '2020-01-01T00:00:00Z', endDateTime: '2021-01-01T00:00:00Z' },
      { hint: 'xyz', startDateTime: '2020-01-01T00:00:00Z', endDateTime: '2999-01-01T00:00:00Z' },
    ].slice(0, at === 0 ? 2 : 0),
  }));
  const graph = {
    id: id(5, 99_999),
    appId: '00000003-0000-0000-c000-000000000000',
    displayName: 'Microsoft Graph',
  };
  const roles = [GLOBAL_ADMINISTRATOR, APPLICATION_ADMINISTRATOR, USER_ADMINISTRATOR];
  const directory = '/roleManagement/directory';
  const lists: Record<string, readonly Item[]> = {
    '/organization': [
      { id: TENANT, displayName: 'Lab', verifiedDomains: [{ name: 'lab.example', isDefault: true }] },
    ],
    '/users': numbers(world.users).map((at) => ({
      ...{
        id: id(1, at),
        displayName: `Person ${at}`,
        userPrincipalName: `p${at}@lab.example`,
        accountEnabled: true,
        signInActivity: at % 2 === 0 ? { lastSuccessfulSignInDateTime: '2026-01-01T00:00:00Z' } : null,
      },
    })),
    '/groups': numbers(world.groups).map((at) => ({
      id: id(2, at),
      displayName: `Group ${at}`,
      securityEnabled: true,
      membershipRule: at === 1 ? 'user.department -eq "IT"' : null,
    })),
    '/devices': [
      {
        ...{ id: id(6, 1), deviceId: id(7, 1), displayName: 'LAPTOP1', operatingSystem: 'Windows' },
        isManaged: null,
      },
    ],
    '/applications': applications,
    '/servicePrincipals': [
      ...applications.map(({ appId, displayName }, at) => ({
        id: id(5, at),
        appId,
        displayName,
        accountEnabled: true,
      })),
      graph,
    ],
    '/directory/administrativeUnits': [{ id: UNIT, displayName: 'Sales' }],
    [`/directory/administrativeUnits/${UNIT}/members`]: [user(3), user(4)],
    [`${directory}/roleDefinitions`]: roles.map((role) => ({
      ...{ id: role, templateId: role, displayName: role, isBuiltIn: true, isEnabled: true },
    })),
    [`${directory}/roleAssignments`]: [
      { roleDefinitionId: GLOBAL_ADMINISTRATOR, principalId: id(1, 5), directoryScopeId: '/' },
      {
        roleDefinitionId: APPLICATION_ADMINISTRATOR,
        principalId: id(1, 6),
        directoryScopeId: `/${id(3, 1)}`,
      },
      {
        roleDefinitionId: USER_ADMINISTRATOR,
        principalId: id(1, 8),
        directoryScopeId: `/administrativeUnits/${UNIT}`,
      },
    ],
    [`${directory}/roleEligibilityScheduleInstances`]: [
      { id: 'e1', roleDefinitionId: GLOBAL_ADMINISTRATOR, principalId: id(1, 7), directoryScopeId: '/' },
    ],
    '/policies/roleManagementPolicyAssignments': [
      {
        ...{ id: 'p1', roleDefinitionId: GLOBAL_ADMINISTRATOR, policyId: 'policy' },
        policy: {
          rules: [
            {
              '@odata.type': '#microsoft.graph.unifiedRoleManagementPolicyApprovalRule',
              target: { caller: 'EndUser', level: 'Assignment' },
              setting: {
                isApprovalRequired: true,
                approvalStages: [
                  {
                    primaryApprovers: [
                      { '@odata.type': '#microsoft.graph.singleUser', userId: id(1, 8) },
                      { '@odata.type': '#microsoft.graph.groupMembers', groupId: id(2, 4) },
                    ],
                  },
                ],
              },
            },
            {
              '@odata.type': '#microsoft.graph.unifiedRoleManagementPolicyEnablementRule',
              ...{
                target: { caller: 'Admin', level: 'Assignment' },
                enabledRules: ['MultiFactorAuthentication'],
              },
            },
          ],
        },
      },
    ],
    ...resourceLists(TENANT, (number) => id(1, number)),
    [`/servicePrincipals/${graph.id}/appRoleAssignedTo`]: [
      {
        ...{ id: 'x', appRoleId: '9e3f62cf-ca93-4989-b6ce-bf83c28f9fe8', principalId: id(5, 2) },
        ...{ principalType: 'ServicePrincipal', resourceId: graph.id },
      },
    ],
  };
  return lists;
}

function relationOf(path: string, world: GraphWorld): readonly Item[] | undefined {
  const [, relation] =
    /^\/(?:groups|applications|servicePrincipals|devices)\/[0-9a-f-]{36}\/(\w+)$/.exec(path) ?? [];
  const number = Number(/([0-9]{12})\/\w+$/.exec(path)?.[1]);
  const isOfPrincipal = number === 1 && path.startsWith('/groups/');
  if (relation === 'members')
    return number === 0
      ? Array.from({ length: Math.min(1500, world.users) }, (_, at) => user(at))
      : [
          ...[0, 1, 2].map((at) => user((number * 3 + at) % world.users)),
          ...(isOfPrincipal ? [principal(2)] : []),
        ];
  if (relation === 'registeredOwners') return [user(0)];
  if (relation === 'owners' && isOfPrincipal) return [user(1), principal(2)];
  if (relation === 'owners') return number % 4 === 1 ? [user(number % world.users)] : [];
  if (relation !== 'federatedIdentityCredentials') return undefined;
  return number === 3
    ? [{ id: id(8, 1), name: 'ci', issuer: 'https://ci.example', subject: 'repo', audiences: ['x'] }]
    : [];
}

/** Sign-in activity is only listed if it is selected. */
function ofSelected(item: Item, select: string | null): Item {
  const { signInActivity = null, ...rest } = item;
  return select?.includes('signInActivity') ? { ...rest, signInActivity } : rest;
}

interface Answered {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Lists whose changes Graph tracks. */
const TRACKED: readonly string[] = ['/users', '/groups', '/devices', '/applications', '/servicePrincipals'];

interface Change {
  readonly list: string;
  readonly item: Item;
}

export async function simulatedGraph(world: GraphWorld): Promise<SimulatedGraph> {
  const lists: Record<string, readonly Item[]> = { ...listsOf(world) };
  const relations = new Map<string, readonly Item[]>();
  const changes: Change[] = [];
  let forgotten = 0;
  let refusedNow: readonly string[] = [];
  const tokens = new Map<string, number>();
  let [count, throttled, pending, made] = [0, 0, world.pending ?? 0, 0];
  let origin = '';

  const answer = (target: string, limit = world.pageSize ?? 999): Answered => {
    count += 1;
    if (world.throttleEvery !== undefined && count % world.throttleEvery === 0) {
      throttled += 1;
      return {
        status: 429,
        headers: { 'Retry-After': '0.02' },
        body: { error: { code: 'TooManyRequests' } },
      };
    }
    const url = new URL(target, origin);
    const path = url.pathname.replace(/^\/(?:v1\.0|beta)/, '');
    const isRefused = (part: string): boolean =>
      path.startsWith(part) && path.endsWith('/delta') === part.endsWith('/delta');
    if (
      [...(world.refused ?? []), ...refusedNow].some(isRefused) ||
      (world.hasSignIns === false && target.includes('signInActivity'))
    )
      return {
        status: 403,
        body: { error: { code: 'Authorization_RequestDenied', message: 'Insufficient privileges' } },
      };
    const object = /^\/directoryObjects\/([0-9a-f-]{36})$/.exec(path)?.[1];
    if (object !== undefined)
      return { status: 200, body: lists['/applications'].find((one) => one.id === object) ?? {} };
    if (path.endsWith('/delta')) return changesOf(url, path.slice(0, -'/delta'.length), limit);
    const [, ofList, single] = /^(\/\w+)\/([0-9a-f-]{36})$/.exec(path) ?? [];
    if (single !== undefined && TRACKED.includes(ofList)) {
      const found = lists[ofList].find((one) => one.id === single);
      if (found !== undefined)
        return { status: 200, body: ofSelected(found, url.searchParams.get('$select')) };
    }
    const listed =
      path === '/groups' && url.searchParams.get('$filter') === 'securityEnabled eq true'
        ? lists[path].filter(({ securityEnabled }) => securityEnabled === true)
        : lists[path];
    const whole =
      (world.sees === 'nothing of Azure' && path === '/subscriptions' ? [] : listed) ??
      relations.get(path) ??
      relationOf(path, world);
    const list = whole
      ?.filter((item) => !isLeftOut(item, url.pathname))
      .map((item) => ofSelected(item, url.searchParams.get('$select')));
    if (list === undefined)
      return { status: 404, body: { error: { code: 'Request_ResourceNotFound', message: path } } };
    const from = Number(url.searchParams.get('$skiptoken') ?? 0);
    const value = list.slice(from, from + limit);
    if (from + limit >= list.length) return { status: 200, body: { value } };
    url.searchParams.set('$skiptoken', String(from + limit));
    const link = `${world.linkOrigin ?? origin}${url.pathname}?${url.searchParams}`;
    // Graph has versions in its paths, and Resource Manager in its parameters.
    const name = url.searchParams.has('api-version') ? 'nextLink' : '@odata.nextLink';
    return { status: 200, body: { value, [name]: link } };
  };

  /** Only the changed properties of each object, as Graph may answer. */
  const changesOf = (url: URL, list: string, limit: number): Answered => {
    const token = url.searchParams.get('$deltatoken') ?? '';
    const at = token === 'latest' ? changes.length : Number(token);
    if (!TRACKED.includes(list) || !Number.isInteger(at)) return { status: 400, body: {} };
    if (at < forgotten)
      return { status: 410, body: { error: { code: 'syncStateNotFound', message: 'resync required' } } };
    const from = Number(url.searchParams.get('$skiptoken') ?? 0);
    const until = Number(url.searchParams.get('until') ?? changes.length);
    const all = changes.slice(at, until).filter((change) => change.list === list);
    const value = all.slice(from, from + limit).map(({ item }) => item);
    const link = new URL(`${world.linkOrigin ?? origin}${url.pathname}`);
    const isLast = from + limit >= all.length;
    link.searchParams.set('$deltatoken', isLast ? String(until) : token);
    if (!isLast) {
      link.searchParams.set('until', String(until));
      link.searchParams.set('$skiptoken', String(from + limit));
    }
    return { status: 200, body: { value, [isLast ? '@odata.deltaLink' : '@odata.nextLink']: link.href } };
  };

  const signIn = (path: string, form: URLSearchParams): Answered => {
    if (path.endsWith('/devicecode'))
      return {
        status: 200,
        body: { device_code: 'd', user_code: 'ABCD', message: 'Enter ABCD', interval: 1 },
      };
    const grant = form.get('grant_type') ?? '';
    if (grant.endsWith('device_code') && pending > 0) {
      pending -= 1;
      return { status: 400, body: { error: 'authorization_pending' } };
    }
    const isGood =
      form.get('client_secret') === GRAPH_SECRET ||
      grant.endsWith('device_code') ||
      form.get('refresh_token') === 'again' ||
      isAssertion(form.get('client_assertion'), world.certificate, `${origin}${path}`);
    if (!isGood)
      return {
        status: 401,
        body: {
          error: 'invalid_client',
          error_description: 'AADSTS7000215: Invalid client secret provided.\r\nTrace ID: x',
        },
      };
    made += 1;
    tokens.set(`token${made}`, Date.now() + (world.tokenMs ?? 3_600_000));
    const refresh =
      grant.endsWith('device_code') || grant === 'refresh_token' ? { refresh_token: 'again' } : {};
    return { status: 200, body: { access_token: `token${made}`, expires_in: 3600, ...refresh } };
  };

  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString();
    const send = ({ status, body, headers }: Answered): void => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
    const target = request.url ?? '/';
    if (target.includes('/oauth2/v2.0/')) return send(signIn(target, new URLSearchParams(text)));
    const ends = tokens.get((request.headers.authorization ?? '').replace('Bearer ', ''));
    if (ends === undefined || ends < Date.now())
      return send({
        status: 401,
        body: { error: { code: 'InvalidAuthenticationToken', message: 'expired' } },
      });
    if (!target.endsWith('/$batch')) return send(answer(target));
    const { requests } = JSON.parse(text) as { requests: readonly { id: string; url: string }[] };
    if (requests.length > 20)
      return send({ status: 400, body: { error: { code: 'BadRequest', message: 'more than 20' } } });
    send({
      status: 200,
      body: {
        responses: requests.map((one) => ({
          id: one.id,
          ...answer(`${target.slice(0, -'/$batch'.length)}${one.url}`),
        })),
      },
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    get throttled() {
      return throttled;
    },
    put: (list, object) => {
      const before = lists[list].find((one) => one.id === object.id);
      const rest = lists[list].filter((one) => one !== before);
      lists[list] = [...rest, { ...before, ...object }];
      changes.push({ list, item: object });
    },
    remove: (list, removed) => {
      lists[list] = lists[list].filter((one) => one.id !== removed);
      changes.push({ list, item: { id: removed, '@removed': { reason: 'deleted' } } });
    },
    signIn: (of, signInActivity) => {
      lists['/users'] = lists['/users'].map((one) => (one.id === of ? { ...one, signInActivity } : one));
    },
    relate: (path, items) => {
      relations.set(path, items);
      const [, list, of, relation] = /^(\/\w+)\/([0-9a-f-]{36})\/(\w+)$/.exec(path) ?? [];
      // Graph tracks members of groups, but not owners.
      if (relation === 'members' && list === '/groups')
        changes.push({ list, item: { id: of, 'members@delta': items } });
    },
    ids: (list) => lists[list].map((one) => String(one.id)),
    refuse: (...paths) => {
      refusedNow = paths;
    },
    forgetChanges: () => {
      forgotten = changes.length;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Whether an assertion is signed with the certificate, for this audience, and has not expired. */
function isAssertion(text: string | null, certificate: string | undefined, audience: string): boolean {
  if (text === null || certificate === undefined) return false;
  const [head, claims, signature] = text.split('.');
  const parsed = new X509Certificate(certificate);
  const { alg, 'x5t#S256': mark } = JSON.parse(Buffer.from(head, 'base64url').toString());
  const { aud, exp, sub, iss } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const thumbprint = createHash('sha256').update(parsed.raw).digest('base64url');
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${head}.${claims}`),
    parsed.publicKey,
    Buffer.from(signature, 'base64url'),
  );
  return (
    isSigned &&
    alg === 'RS256' &&
    mark === thumbprint &&
    aud === audience &&
    exp * 1000 > Date.now() &&
    sub === iss
  );
}
