/** The workflow of an integration: from an upload over HTTP, through further analyses, until a risk is accepted or resolved. */

import { FINDING_TEXTS, FINDING_TYPES, RETIRED_FINDINGS } from '@clew/analysis';
import { type AnswerOf, NOT_DELETED, type OperationId } from '@clew/api';
import { collectControllers, type TestCaller, useFindingServer } from '@clew/service/testing';
import { beforeEach, describe, expect, test } from 'vitest';

const DOMAIN = 'S-1-5-21-1-2-3';
const ADMINS = `${DOMAIN}-512`;
const TYPE = 'T0GenericAll';
const HOSTILE = "=cmd|' /C calc'!A0\"><script>alert(1)</script>\u001b[2J\r\nx";

const server = useFindingServer();
const { call } = server;

const USERS: ReadonlyMap<number, string> = new Map(
  Array.from({ length: 40 }, (_, at) => [1100 + at, at === 0 ? HOSTILE : `USER${at}@CORP.LOCAL`]),
);

/** A domain where each of these users has full control of Domain Admins. */
async function collect(controllers: readonly number[]): Promise<void> {
  isChanged = true;
  const properties = { enabled: true, dontreqpreauth: true };
  await collectControllers(server, controllers, { users: USERS, properties });
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);

async function get<Id extends OperationId>(_operation: Id, target: string): Promise<AnswerOf<Id>> {
  const { status, text, json } = await call(target);
  expect([target, status, status === 200 ? '' : text]).toEqual([target, 200, '']);
  return json;
}

const details = (query = '') =>
  get('ListDomainAttackPathsDetails', `/api/v2/domains/${DOMAIN}/details?finding=${TYPE}${query}`);

function put(id: number, body: object, user: TestCaller = 'admin') {
  isChanged = true;
  return call(`/api/v2/attack-paths/${id}/acceptance`, {
    user,
    method: 'PUT',
    body,
  });
}

const world = range(1100, 25);

/** Changes of the last test are undone; tests that only read share a world. */
let isChanged = true;
beforeEach(async () => {
  if (!isChanged) return;
  await server.empty();
  await collect(world);
  isChanged = false;
});

describe('the calls of the integration', () => {
  test('find environments, types, texts and findings', async () => {
    const { data } = await get('GetAvailableDomains', '/api/v2/available-domains');
    expect(data).toMatchObject([
      { id: DOMAIN, name: 'CORP.LOCAL', collected: true, type: 'active-directory' },
    ]);
    expect(data[0].impactValue).toBeGreaterThan(0);
    expect(data[0].exposures?.[0]).toMatchObject({
      asset_group_tag: { id: 1, name: 'Tier Zero', position: 1 },
    });

    const types = await get(
      'ListAvailableAttackPathTypesForDomain',
      `/api/v2/domains/${DOMAIN}/available-types`,
    );
    expect(types.data).toContain(TYPE);
    for (const type of types.data) {
      for (const name of ['title', 'short_description', 'short_remediation', 'long_remediation']) {
        const { status, text, headers } = await call(`/api/v2/assets/findings/${type}/${name}.md`);
        expect([type, name, status, text.trim() !== '']).toEqual([type, name, 200, true]);
        expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      }
      const page = await get(
        'ListDomainAttackPathsDetails',
        `/api/v2/domains/${DOMAIN}/details?finding=${type}&skip=0`,
      );
      expect(page.count).toBeGreaterThan(0);
    }
  });

  test('a relationship finding and a list finding have each exactly its own keys', async () => {
    const common = [
      ...[
        'id',
        'created_at',
        'updated_at',
        'deleted_at',
        'Finding',
        'DomainSID',
        'Accepted',
        'AcceptedUntil',
      ],
      ...['ImpactPercentage', 'ImpactCount', 'ExposurePercentage', 'ExposureCount', 'Severity'],
      // Fields of Clew, in addition to those of the public product.
      'SeverityReason',
    ];
    const [relation] = (await details()).data;
    expect(Object.keys(relation).sort()).toEqual(
      [
        ...common,
        ...['From', 'To'].flatMap((end) =>
          ['', 'Kind', 'Name', 'Props'].map((part) => `${end}Principal${part}`),
        ),
        ...['FromEnvironment', 'FromEnvironmentID', 'ToEnvironment', 'ToEnvironmentID'],
        ...['RelProps', 'ComboGraphRelationID', 'PrincipalHash', 'IsInherited'],
      ].sort(),
    );
    expect(relation).toMatchObject({
      Finding: TYPE,
      DomainSID: DOMAIN,
      FromPrincipalKind: 'User',
      FromEnvironment: 'CORP.LOCAL',
      FromPrincipalProps: { domain: 'CORP.LOCAL' },
      ToPrincipal: ADMINS,
      ToPrincipalProps: { objectid: ADMINS, name: 'DOMAIN ADMINS@CORP.LOCAL' },
      Accepted: false,
      AcceptedUntil: '0001-01-01T00:00:00.000000Z',
      deleted_at: NOT_DELETED,
    });
    const names = (
      await get('ListAvailableAttackPathTypesForDomain', `/api/v2/domains/${DOMAIN}/available-types`)
    ).data;
    const lists = FINDING_TYPES.filter(({ id, kind }) => kind === 'list' && names.includes(id));
    expect(lists).not.toEqual([]);
    for (const { id } of lists) {
      const { data } = await get(
        'ListDomainAttackPathsDetails',
        `/api/v2/domains/${DOMAIN}/details?finding=eq:${id}`,
      );
      expect(Object.keys(data[0]).sort()).toEqual(
        [...common, 'Principal', 'PrincipalKind', 'PrincipalName', 'Props', 'Environment'].sort(),
      );
      for (const name of ['ImpactPercentage', 'ImpactCount', 'ExposurePercentage', 'ExposureCount'] as const)
        expect(data[0][name]).toBeTypeOf('number');
    }
  });

  test('ten findings are a page, zero asks for all, and skipping past the end finds none', async () => {
    const first = await details();
    expect([first.count, first.skip, first.limit, first.data.length]).toEqual([25, 0, 10, 10]);
    const all = await details('&skip=0&limit=0');
    expect([all.count, all.limit, all.data.length]).toEqual([25, 0, 25]);
    const many = await Promise.all(Array.from({ length: 20 }, () => details('&limit=0')));
    for (const page of many) expect(page.data).toEqual(all.data);
    expect((await details('&skip=25')).data).toEqual([]);
    const ids = all.data.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  });

  test('pages larger than memory is given for are streamed whole', async () => {
    await collect(range(1100, 2100));
    const all = await details('&limit=0');
    expect([all.count, all.limit, all.data.length]).toEqual([2100, 0, 2100]);
    const ids = all.data.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2100);
    const { data: page } = await details('&skip=500&limit=1500');
    expect(page.map(({ id }) => id)).toEqual(ids.slice(500, 2000));
    const { data: rest } = await details('&skip=1500&limit=0');
    expect(rest.map(({ id }) => id)).toEqual(ids.slice(1500));
  });

  test.each([
    ['FromPrincipal=eq:S-1-5-21-1-2-3-1103', 1],
    ['from_principal=S-1-5-21-1-2-3-1103', 1],
    ['to_principal=eq:S-1-5-21-1-2-3-512', 25],
    ['Accepted=eq:False', 25],
    ['Accepted=true', 0],
    ['asset_group_tag_id=1', 25],
    ['created_at=gte:2020-01-01T00:00:00Z', 25],
    ['created_at=lt:2020-01-01T00:00:00Z', 0],
    ['deleted_at=neq:null', 0],
    ['something_else=1', 25],
  ])('filter by %s', async (filter, count) => {
    expect((await details(`&${filter}`)).count).toBe(count);
  });

  test.each([
    [`/api/v2/domains/${DOMAIN}/details`, 400, 'missing required query parameter: finding'],
    [
      `/api/v2/domains/${DOMAIN}/details?finding=neq:X`,
      400,
      'the specified filter predicate is not supported',
    ],
    [
      `/api/v2/domains/${DOMAIN}/details?finding=X&sort_by=color`,
      400,
      'column format does not support sorting',
    ],
    [`/api/v2/domains/S-1-5-21-4/details?finding=X`, 404, 'resource not found'],
    ['/api/v2/domains/S-1-5-21-4/available-types', 404, 'resource not found'],
    [`/api/v2/domains/${DOMAIN}/sparkline?finding=X&from=yesterday`, 400, 'from/to parameter'],
    ['/api/v2/assets/findings/Nothing/title.md', 404, 'resource not found'],
    [`/api/v2/assets/findings/${TYPE}/secrets.md`, 404, 'resource not found'],
    ['/api/v2/posture-history/happiness?environments=X', 400, 'must be one of findings'],
  ])('%s answers %d', async (target, status, message) => {
    const answer = await call(target);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(message)]);
  });

  test('an unknown type in a known environment is not an error', async () => {
    const target = `/api/v2/domains/${DOMAIN}/details?finding=Nothing`;
    expect(await get('ListDomainAttackPathsDetails', target)).toMatchObject({ count: 0, data: [] });
  });

  test('texts have a tag, and are not sent again to who has them', async () => {
    for (const name of FINDING_TEXTS) {
      const path = `assets/findings/${TYPE}/${name}`;
      const [bare, file, old] = await Promise.all([
        call(`/api/v2/${path}`),
        call(`/api/v2/${path}.md`),
        call(`/ui/findings/${TYPE}/${name}.md`),
      ]);
      expect([bare.status, file.text, old.text]).toEqual([200, bare.text, bare.text]);
      const zone = bare.headers.get('etag') ?? '';
      const again = await call(`/api/v2/${path}`, { headers: { 'if-none-match': `W/${zone}` } });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', zone]);
    }
  });

  test('the sparkline has a record per analysis, and its window', async () => {
    await collect(range(1100, 20));
    const target = `/api/v2/domains/${DOMAIN}/sparkline?finding=${TYPE}`;
    const { start, end, data } = await get('ListAttackPathSparklineValues', target);
    expect(data.map(({ FindingCount }) => FindingCount)).toEqual([25, 20]);
    expect([start < data[0].created_at, data[1].created_at < end]).toEqual([true, true]);
    expect(await get('ListAttackPathSparklineValues', `${target}&to=2020-01-01T00:00:00Z`)).toMatchObject({
      end: '2020-01-01T00:00:00.000000Z',
      data: [],
    });
  });
});

describe('paging while an analysis is published', () => {
  test('neither skips nor repeats a finding', async () => {
    const expected = (await details('&limit=0')).data.map(({ id }) => id);
    const seen: number[] = [];
    for (let skip = 0; ; ) {
      const { data } = await details(`&skip=${skip}`);
      if (data.length === 0) break;
      seen.push(...data.map(({ id }) => id));
      skip += data.length;
      // Some findings of the first page end, and others start.
      if (skip === 10) await collect([...range(1105, 20), 1130, 1131]);
    }
    expect(seen).toEqual(expected);
    const present = (await details('&limit=0')).data.map(({ id }) => id);
    expect(present).toHaveLength(22);
    expect(present.filter((id) => expected.includes(id))).toHaveLength(20);
  });
});

describe('a removed right', () => {
  test('resolves exactly its finding; the others keep ids and first times', async () => {
    const before = (await details('&limit=0')).data;
    await collect(world.filter((rid) => rid !== 1107));
    const after = (await details('&limit=0')).data;
    const key = ({ id, created_at }: (typeof before)[number]) => [id, created_at];
    const stays = (finding: (typeof before)[number]) =>
      'FromPrincipal' in finding && finding.FromPrincipal !== `${DOMAIN}-1107`;
    expect(after.map(key)).toEqual(before.filter(stays).map(key));
    const archived = (await details('&deleted_at=neq:null')).data;
    expect(archived).toMatchObject([{ FromPrincipal: `${DOMAIN}-1107` }]);
    const { data } = await get(
      'ListAttackPathFindings',
      `/api/v2/attack-paths/findings?status=remediated&finding=${TYPE}`,
    );
    expect(data).toMatchObject([{ status: 'remediated', source_principal_id: `${DOMAIN}-1107` }]);
  });
});

describe('acceptance', () => {
  test('holds until its end, is audited, and outlives an analysis', async () => {
    const [{ id }] = (await details()).data;
    const until = '2999-01-01T00:00:00Z';
    const answer = await put(id, { risk_type: TYPE, accepted: true, accept_until: until });
    expect([answer.status, answer.json]).toMatchObject([
      200,
      { data: { id, Accepted: true, AcceptedUntil: '2999-01-01T00:00:00.000000Z' } },
    ]);
    await collect(world.slice(0, 24));
    expect((await details('&Accepted=eq:true')).data.map((finding) => finding.id)).toEqual([id]);
    const log = await server.database.db.selectFrom('audit_log').selectAll().execute();
    expect(log.at(-1)).toMatchObject({ action: 'AcceptRisk', actor_name: 'admin', status: 'success' });
    expect((await put(id, { risk_type: TYPE, accepted: false })).json).toMatchObject({
      data: { Accepted: false, AcceptedUntil: '0001-01-01T00:00:00.000000Z' },
    });
  });

  test.each([
    ['in the past', { accepted: true, accept_until: '2020-01-01T00:00:00Z' }, 'admin', 400],
    ['with no time', { accepted: true, accept_until: 'soon' }, 'admin', 400],
    ['of another type', { accepted: true, risk_type: 'Kerberoasting' }, 'admin', 404],
    ['by one who may only read', { accepted: true }, 'reader', 403],
    ['by one who does not see the environment', { accepted: true }, 'elsewhere', 404],
  ] as const)('%s is refused', async (_, body, user, status) => {
    const [{ id }] = (await details()).data;
    expect((await put(id, body, user)).status).toBe(status);
    expect((await details('&Accepted=true')).count).toBe(0);
  });

  test('of an archived finding is refused', async () => {
    const [{ id }] = (await details()).data;
    await collect(world.slice(1));
    expect((await put(id, { accepted: true })).status).toBe(409);
  });
});

describe('who may see only other environments', () => {
  test('gets 403 for this one and nothing in lists', async () => {
    const user = 'elsewhere';
    expect((await call(`/api/v2/domains/${DOMAIN}/details?finding=${TYPE}`, { user })).status).toBe(403);
    const lists = ['attack-paths/findings', 'attack-paths/finding-types', 'posture-stats'];
    for (const list of lists)
      expect((await call(`/api/v2/${list}`, { user })).json).toMatchObject({ data: [] });
    const bundle = await call('/api/v2/attack-paths/details', { user });
    expect(bundle.json).toEqual({ findings: [], finding_assets: {} });
  });
});

describe('CSV', () => {
  test('has the documented columns, all rows, and cells that spreadsheets do not run', async () => {
    const target = `/api/v2/domains/${DOMAIN}/details?finding=${TYPE}`;
    const asked = await call(`${target}&Accept=text/csv`);
    expect(asked.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = asked.text.trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      'id,finding_type,exposure_count,exposure_percentage,impact_count,impact_percentage,domain_sid,from_principal_name,from_principal,from_principal_kind,to_principal_name,to_principal,to_principal_kind,combo_graph_relation_id,domain,accepted,accepted_until,principals_hash,created_at,updated_at,is_inherited',
    );
    expect(lines).toHaveLength(26);
    expect(asked.text).toContain('"\'=CMD|');
    expect(asked.text).not.toMatch(/(^|,)"?\s*[=+@-]/m);
    expect(asked.text).not.toContain('\u001b');
    expect((await call(target, { headers: { accept: 'text/csv' } })).text).toBe(asked.text);
    const query = await call(`${target}&Accept=application/json`, { headers: { accept: 'text/csv' } });
    expect(query.headers.get('content-type')).toBe('application/json');
    const export_ = `/api/v2/domains/${DOMAIN}/attack-path-findings?finding=${TYPE}`;
    expect((await call(export_)).text).toBe(asked.text);
    expect((await call(`${export_}&filterAccepted=accepted`)).text).toBe(`${lines[0]}\r\n`);
    expect((await call(`${target}&Accept=text/csv`, { user: 'reader' })).status).toBe(403);
  });

  test('of all findings has a row a finding', async () => {
    const { count, data } = await get('ListAttackPathFindings', '/api/v2/attack-paths/findings?limit=0');
    const { text } = await call('/api/v2/attack-paths/findings?Accept=text/csv');
    expect(text.split('\r\n')[0]).toMatch(
      /^Severity,Finding,Title,.*,Status,FirstSeen,LastSeen,SeverityReason,ClosedBy,StandsFor,NotClosed,LoweredBy,PartOfID,Owner,ChangedBecause,Due,ID,ExposureCount,ExposurePercentage,ImpactCount,ImpactPercentage$/,
    );
    const [, ...rows] = text.trimEnd().split('\r\n');
    expect(rows).toHaveLength(count);
    const figures = rows.map((row) => row.split(',').slice(-5).map(Number));
    const listed = data.map((one) => [
      ...[one.id, one.exposure_count, one.exposure_percentage, one.impact_count, one.impact_percentage],
    ]);
    const byId = (all: readonly number[][]) => all.toSorted(([a = 0], [b = 0]) => a - b);
    expect(byId(figures)).toEqual(byId(listed));
  });
});

describe('over all environments', () => {
  test('findings are filtered and sorted by severity, not by its name', async () => {
    const target = '/api/v2/attack-paths/findings?limit=0';
    const { data } = await get('ListAttackPathFindings', `${target}&sort_by=-severity`);
    const ranks = data.map(({ severity }) => ['low', 'moderate', 'high', 'critical'].indexOf(severity));
    expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
    const some = await get(
      'ListAttackPathFindings',
      `${target}&finding=${TYPE}&environment_id=${DOMAIN}&environment_id=S-1-5-21-4`,
    );
    expect(some.count).toBe(25);
  });

  test('types, titles, everything at once, trends and posture', async () => {
    const { data: all } = await get('ListAttackPathTypes', '/api/v2/attack-path-types');
    expect(all).toHaveLength(FINDING_TYPES.length + RETIRED_FINDINGS.length);
    const named = await get('ListAttackPathTypes', '/api/v2/attack-path-types?finding=~eq:dcsync');
    expect(named.data).toEqual(all.filter((id) => /dcsync/i.test(id)));
    const titles = await get(
      'ListAttackPathFindingTypes',
      `/api/v2/attack-paths/finding-types?environment_id=${DOMAIN}`,
    );
    expect(titles.data.map(({ finding }) => finding)).toContain(TYPE);

    const bundle = await get('GetAllAttackPathFindings', '/api/v2/attack-paths/details');
    const texts = bundle.finding_assets[TYPE];
    expect(Buffer.from(texts['title.md'], 'base64').toString()).not.toBe('');
    expect(bundle.findings.filter(({ finding_name }) => finding_name === TYPE)).toHaveLength(25);

    await collect(range(1102, 25));
    const trends = await get(
      'FindingTrendsForEnvironment',
      `/api/v2/attack-paths/finding-trends?environments=${DOMAIN}`,
    );
    const trend = trends.data.findings.find(({ finding }) => finding === TYPE);
    expect(trend).toMatchObject({ finding_count_start: 0, finding_count_end: 25 });
    for (const { finding_count_start: from, finding_count_end: to, ...change } of trends.data.findings)
      expect(to).toBe(from + change.finding_count_increase - change.finding_count_decrease);

    const stats = await get('GetPostureStats', `/api/v2/posture-stats?domain_sid=eq:${DOMAIN}`);
    expect([stats.count, stats.data.length]).toEqual([2, 2]);
    expect(stats.data[1].exposure_index).toBeGreaterThan(0);
    for (const type of ['findings', 'exposure', 'assets', 'attack-paths', 'archived-findings']) {
      const target = `/api/v2/posture-history/${type}?environments=${DOMAIN}`;
      const { data } = await get('PostureHistoryForEnvironments', target);
      expect([type, data.length]).toEqual([type, 1]);
    }
  });
});

test('warnings of queries, which count objects, are for those who may see all environments', async () => {
  isChanged = true;
  const cypher = "MATCH (u:User) WHERE u.name ENDS WITH 'NO ONE' RETURN u";
  const check = { title: 'No one', severity: 'low', cypher };
  const stored = await call('/api/v2/checks/Check_NoOne', { method: 'PUT', body: check });
  expect([stored.status, stored.text]).toEqual([201, expect.stringContaining('Check_NoOne')]);
  const rule = { name: 'no one', seeds: [{ type: 2, value: cypher }] };
  const { json } = await call('/api/v2/asset-group-tags/1/selectors', { method: 'POST', body: rule });
  const selector = `/api/v2/asset-group-tags/1/selectors/${json.data.id}`;
  await server.collect();
  const warnings = [expect.stringMatching(/^of 40 \(u:User\), 0 are left/)];
  expect((await call('/api/v2/checks/Check_NoOne')).json.data.warnings).toEqual(warnings);
  expect((await call(selector)).json.data.selector.query_warnings).toEqual(warnings);
  const user = 'elsewhere';
  expect((await call('/api/v2/checks', { user })).json.data).toMatchObject([
    { name: 'Check_NoOne', warnings: [] },
  ]);
  expect((await call('/api/v2/checks/Check_NoOne', { user })).json.data.warnings).toEqual([]);
  expect((await call(selector, { user })).json.data.selector).not.toHaveProperty('query_warnings');
  expect((await call(selector, { method: 'DELETE' })).status).toBe(204);
});
