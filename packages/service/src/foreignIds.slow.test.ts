/**
 * Calls every operation with an id in its path as users who may see one environment: an object of another environment, or of another user,
 * is answered like a missing one, so that existence is not revealed.
 */
import { routes } from '@clew/api';
import { sampledCases } from '@clew/common/testing';
import { roleByName } from '@clew/model';
import { readExamples } from '@clew/server/testing';
import { fileText, generateForest } from '@clew/synthetic';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { PASSWORD, ServiceUnderTest } from '../test/serviceUnderTest.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are held to their contracts by the service under test.
type Json = any;

/** Ids of objects without an environment, which all users with the permission share. The test fails for a parameter that is not listed. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  'roles and providers of sign-in': [
    ...['sso_provider_id', 'saml_provider_id', 'slug', 'role_id', 'permission_id'],
  ],
  'uploads, and collectors with their jobs': [
    ...['file_upload_job_id', 'client_id', 'event_id', 'job_id', 'task_id', 'collector_type', 'release_tag'],
  ],
  'views of administrators': ['view_as_id'],
  'acceptances that wait, which only users who see all environments decide': ['request_id'],
  'words of the program': [
    ...['asset_name', 'entity_type', 'data_type', 'finding_type', 'platform_id', 'file', 'kind_name'],
    ...['node_kind_id', 'relationship_kind_id', 'feature_id', 'extension_id'],
  ],
  'parts of a plan or report, whose ids have pairs': ['repair', 'issue_id', 'evidence_id'],
  'templates of reasons, which all users who may accept risks share': ['template_id'],
  'changes of many findings, which only their user and those who see all may name': ['bulk_change_id'],
  'certification authorities, about which only users who see all environments answer': ['authority_id'],
  'readings of directories, which only collectors and users who see all environments report': [
    'environment_id',
  ],
  'zones with their selectors, custom checks, and webhooks': [
    'check_name',
    ...['asset_group_tag_id', 'asset_group_id', 'asset_group_tag_selector_id', 'asset_group_selector_id'],
    ...['webhook_id', 'delivery_id'],
  ],
};
const KIND_OF_PATH: Readonly<Record<string, string>> = {
  ...{ users: 'User', groups: 'Group', computers: 'Computer', domains: 'Domain', gpos: 'GPO', ous: 'OU' },
  ...{ containers: 'Container', aiacas: 'AIACA', rootcas: 'RootCA', enterprisecas: 'EnterpriseCA' },
  ...{ ntauthstores: 'NTAuthStore', certtemplates: 'CertTemplate', issuancepolicies: 'IssuancePolicy' },
};
/** The roles with the most and the fewest permissions that can be limited to environments. */
const ROLES = ['User', 'Read-Only'] as const;
const NO_DOMAIN = 'S-1-5-21-1-2-3';
const NO_UUID = '00000000-0000-4000-8000-000000000000';
const NO_NUMBER = 2_000_000_000;

type Pair = readonly [theirs: string | number, nothing: string | number];

let test: ServiceUnderTest;
let other: string;
/** A foreign id and an unknown id by parameter; for objects, by the kind in the path. */
let pairs: Readonly<Record<string, (path: string) => Pair>>;

beforeAll(async () => {
  test = await ServiceUnderTest.start({}, { makesPlans: false });
  const { id } = (await test.call('POST', 'file-upload/start')).json.data;
  for (const file of generateForest({ users: 10, seed: 5 }).files)
    await test.call('POST', `file-upload/${id}`, JSON.parse([...fileText(file)].join('')));
  await test.call('POST', `file-upload/${id}/end`);
  const status = async () => (await test.data('GET', `file-upload?id=eq:${id}`))[0].status;
  await vi.waitUntil(async () => [2, 5, 8].includes(await status()), { timeout: 120_000, interval: 100 });
  const environments: Json[] = await test.data('GET', 'available-domains');
  const own = environments.find(({ collected }) => collected).id;
  other = environments.find((one) => one.id !== own && one.collected)?.id;
  expect(other).toBeDefined();
  const access = { environments: [{ environment_id: own }] };
  for (const role of ROLES)
    await test.data('POST', 'bloodhound-users', {
      ...{
        principal: role,
        roles: [roleByName(role).id],
        secret: PASSWORD,
        environment_targeted_access_control: access,
      },
    });
  pairs = await makePairs();
}, 300_000);
afterAll(() => test.stop());

async function makePairs(): Promise<typeof pairs> {
  const rowsOf = async (query: string): Promise<Json[][]> =>
    (await test.data('POST', 'graphs/cypher', { query, rows: true })).rows;
  const inOther = `n.domainsid = '${other}'`;
  const kinds = await rowsOf(
    `MATCH (n) WHERE ${inOther} UNWIND labels(n) AS kind RETURN kind, max(n.objectid)`,
  );
  const byKind = new Map(kinds as [string, string][]);
  const [[node]] = await rowsOf(`MATCH (n:User) WHERE ${inOther} RETURN id(n) LIMIT 1`);
  const [[edge]] = await rowsOf(`MATCH (n:User)-[r:MemberOf]->() WHERE ${inOther} RETURN id(r) LIMIT 1`);
  const [finding] = await test.data('GET', `attack-paths/findings?environment_id=eq:${other}&limit=1`);
  const made = async (path: string, body: object) => (await test.call('POST', path, body)).json.data.id;
  const query = await made('saved-queries', { name: 'of another', query: 'MATCH (n) RETURN n' });
  const plan = await made('plans', { name: 'of another', disable: [byKind.get('User')] });
  const token = await made('tokens', { token_name: 'of another' });
  const constraint = await made('plan/constraints', {
    ...{ subject: 'kind', repair_kind: 'protect-host', reason: 'of another' },
  });
  const drawn = {
    object_id: byKind.get('User'),
    name: 'of another',
    kind: 'User',
    x: 0,
    y: 0,
    pinned: false,
  };
  const drawing = await made('drawings', {
    ...{ name: 'of another', address: '', objects: [drawn], relationships: [] },
  });
  const view = await made('views', { name: 'of another', page: 'findings', query: '' });
  const report = await made('reports', { name: 'of another' });
  const attachment = await made('attachments', { name: 'of another', content: 'eA==' });
  const administrator = (await test.data('GET', 'self')).id;
  const { sessions } = await test.data('GET', `bloodhound-users/${administrator}/sessions`);
  const redirect_uri = 'http://127.0.0.1:33418/callback';
  const assistant = (await test.call('POST', 'oauth/register', { redirect_uris: [redirect_uri] })).json;
  await test.data('POST', 'oauth/decisions', {
    ...{ response_type: 'code', client_id: assistant.client_id, redirect_uri, approved: true },
    // The challenge of RFC 7636, appendix B.
    ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
  });
  const { assistants } = await test.data('GET', `bloodhound-users/${administrator}/assistants`);
  const marked = await test.call('POST', 'graphs/cypher', { query: 'CREATE (:Marked)' }, 'layer=theirs');
  expect(marked.status).toBe(200);
  const numbered = (id: number) => (): Pair => [id, NO_NUMBER];
  return {
    object_id: (path) =>
      path.startsWith('meta/')
        ? [`META-1-ROOT-${other}`, `META-1-ROOT-${NO_DOMAIN}`]
        : [byKind.get(KIND_OF_PATH[path.split('/')[0] as string] ?? 'User') ?? other, `${NO_DOMAIN}-1000`],
    domain_id: () => [other, NO_DOMAIN],
    tenant_id: () => [other, NO_UUID],
    node_id: numbered(node),
    relationship_id: numbered(edge),
    asset_group_member_id: numbered(node),
    finding_id: numbered(finding.id),
    attack_path_id: numbered(finding.id),
    attachment_id: numbered(attachment),
    saved_query_id: numbered(query),
    plan_id: numbered(plan),
    drawing_id: numbered(drawing),
    view_id: numbered(view),
    report_id: numbered(report),
    constraint_id: numbered(constraint),
    session_id: numbered(sessions[0].id),
    assistant_id: numbered(assistants[0].id),
    layer_name: () => ['theirs', 'nothing'],
    token_id: () => [token, NO_UUID],
    user_id: () => [administrator, NO_UUID],
  };
}

it('classifies every path parameter by whether it could reveal other objects', () => {
  const names = routes.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  const known = [...Object.values(SHARED).flat(), ...Object.keys(pairs)];
  expect([...new Set(names)].toSorted()).toEqual(known.toSorted());
});

// Each operation is asked by one of the roles, and at night by both.
it.each(ROLES)(
  'a limited user who is %s gets the same answer',
  async (principal) => {
    await test.login(principal);
    const examples = readExamples();
    const differences: string[] = [];
    const isAbout = (name: string): boolean => pairs[name] !== undefined;
    const about = routes.filter(({ path }) =>
      [...path.matchAll(/\{(\w+)\}/g)].some(([, name]) => isAbout(name as string)),
    );
    for (const { operationId, method, path, bodyKind = 'none' } of sampledCases(
      about,
      ROLES.length,
      ROLES.indexOf(principal),
    )) {
      const relative = path.replace('/api/v2/', '');
      const example = examples[operationId];
      const query = new URLSearchParams(example?.query as Record<string, string>);
      const body = bodyKind === 'none' ? undefined : Object(example?.body ?? {});
      /** The answer, without the requested id. */
      const answerTo = async (which: 0 | 1): Promise<string> => {
        const ids: string[] = [];
        const target = relative.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
          if (!isAbout(name)) return encodeURIComponent(String(example?.params?.[name] ?? '1'));
          const id = String(pairs[name]?.(relative)[which]);
          ids.push(id);
          return encodeURIComponent(id);
        });
        const { status, json } = await test.call(method, `${target}?${query}`, body);
        const said = status < 400 ? json : json.errors;
        return ids.reduce((text, id) => text.replaceAll(id, 'ID'), `${status} ${JSON.stringify(said)}`);
      };
      const [theirs, nothing] = [await answerTo(0), await answerTo(1)];
      if (theirs !== nothing)
        differences.push(`${operationId}: ${theirs.slice(0, 200)} | ${nothing.slice(0, 200)}`);
      if (Number(theirs.slice(0, 3)) >= 500) differences.push(`${operationId}: ${theirs.slice(0, 200)}`);
    }
    await test.login('admin');
    expect(differences).toEqual([]);
    expect(about.length).toBeGreaterThan(130);
  },
  300_000,
);
