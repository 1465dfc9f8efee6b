/** Findings of a custom zone: every answer about a zone names it. */

import { useFindingServer } from '@clew/service/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { DOMAIN, forest, SERVER } from '../../../test/findings/forest.ts';

const TYPE = 'T0GenericAll';
const TITLE = /\bAccounts\b/;

const server = useFindingServer();
let zone: number;

async function ask(status: number, target: string, body?: object, method = body ? 'POST' : 'GET') {
  const answer = await server.call(`/api/v2/${target}`, { method, body });
  expect([target, answer.status, answer.status === status ? '' : answer.text]).toEqual([target, status, '']);
  return answer;
}

async function ofZone(target: string) {
  const { json } = await ask(200, `${target}${target.includes('?') ? '&' : '?'}asset_group_tag_id=${zone}`);
  return json;
}

beforeAll(async () => {
  await server.empty();
  const { json } = await ask(201, 'asset-group-tags', { name: 'Accounts', type: 1 });
  zone = json.data.id;
  const seeds = [{ type: 1, value: SERVER }];
  await ask(201, `asset-group-tags/${zone}/selectors`, { name: 'the server', seeds });
  await ask(200, `asset-group-tags/${zone}`, { analysis_enabled: true }, 'PATCH');
  await server.collect(...forest());
});

describe('asked for a zone', () => {
  test.each(['title', 'title.md', 'short_description', 'long_description', 'long_remediation'])(
    'the %s of a finding describes it',
    async (name) => {
      const { text } = await ask(200, `assets/findings/${TYPE}/${name}?asset_group_tag_id=${zone}`);
      expect(text).toMatch(TITLE);
      expect(text).not.toContain('Tier Zero');
      for (const other of ['', '?asset_group_tag_id=1', '?asset_group_tag_id=eq:1', '?asset_group_tag_id=0'])
        expect((await ask(200, `assets/findings/${TYPE}/${name}${other}`)).text).toContain('Tier Zero');
    },
  );

  test('texts for whichever zone it is are there, for types that zones have', async () => {
    expect((await ask(200, `assets/findings/${TYPE}/tx-title.md`)).text).toContain('Privilege Zone');
    await ask(404, 'assets/findings/Kerberoasting/tx-title');
    const { finding_assets } = (await ask(200, 'attack-paths/details')).json;
    const texts = Object.keys(finding_assets[TYPE]);
    expect(texts.filter((name) => name.startsWith('tx-'))).toHaveLength(texts.length / 2);
  });

  test('lists, titles, trends and figures are about it alone', async () => {
    const { data: types } = await ofZone(`domains/${DOMAIN}/available-types`);
    expect(types).toEqual([TYPE]);
    const { data: titles } = await ofZone(`attack-paths/finding-types?environment_id=${DOMAIN}`);
    expect(titles).toEqual([{ finding: TYPE, title: expect.stringMatching(TITLE) }]);
    const details = await ofZone(`domains/${DOMAIN}/details?finding=${TYPE}`);
    expect(details).toMatchObject({ count: 1, data: [{ ToPrincipal: SERVER }] });
    const findings = await ofZone('attack-paths/findings');
    expect(findings).toMatchObject({
      count: 1,
      data: [{ asset_group_tag_id: zone, zone_name: 'Accounts', title: expect.stringMatching(TITLE) }],
    });
    const csv = `domains/${DOMAIN}/details?finding=${TYPE}&asset_group_tag_id=${zone}&Accept=text/csv`;
    expect((await ask(200, csv)).text).toMatch(TITLE);

    const trends = await ofZone(`attack-paths/finding-trends?environments=${DOMAIN}`);
    expect(trends.data.findings).toMatchObject([
      { finding: TYPE, display_title: expect.stringMatching(TITLE), finding_count_end: 1 },
    ]);
    const { data: risks } = await ofZone(`domains/${DOMAIN}/sparkline?finding=${TYPE}`);
    expect(risks.length).toBeGreaterThan(0);
    const { data: stats } = await ofZone('posture-stats');
    expect(new Set(stats.map((one: { asset_group_tag_id: number }) => one.asset_group_tag_id))).toEqual(
      new Set([zone]),
    );
    const assets = await ofZone(`posture-history/assets?environments=${DOMAIN}`);
    const { total_count } = (await ask(200, `asset-group-tags/${zone}/members/counts`)).json.data;
    expect(assets.data.at(-1).value).toBe(total_count);
  });

  test.each([
    `assets/findings/${TYPE}/title`,
    `domains/${DOMAIN}/available-types`,
    `attack-paths/finding-trends?environments=${DOMAIN}`,
    `posture-history/findings?environments=${DOMAIN}`,
  ])('%s refuses an invalid zone, and one that never existed', async (target) => {
    const with_ = (id: string | number) =>
      `${target}${target.includes('?') ? '&' : '?'}asset_group_tag_id=${id}`;
    for (const malformed of ['x', '1.5', '~eq:1']) await ask(400, with_(malformed));
    for (const unknown of ['7777', '4294967297']) {
      const { json } = await ask(404, with_(unknown));
      expect(json.errors).toEqual([{ context: 'clients', message: `zone ${unknown} does not exist` }]);
    }
  });

  test.each([
    `domains/${DOMAIN}/details?finding=${TYPE}`,
    `domains/${DOMAIN}/sparkline?finding=${TYPE}`,
    `attack-paths/finding-types?environment_id=${DOMAIN}`,
    'attack-paths/findings?limit=10',
    'posture-stats?limit=10',
  ])('%s, where it filters, does not know one that never was', async (target) => {
    for (const unknown of ['7777', '-1', '99999999999'])
      await ask(404, `${target}&asset_group_tag_id=${unknown}`);
    await ask(400, `${target}&asset_group_tag_id=x`);
  });

  test('a zone that was deleted has a past', async () => {
    const { json } = await ask(201, 'asset-group-tags', { name: 'Gone', type: 1 });
    await ask(204, `asset-group-tags/${json.data.id}`, undefined, 'DELETE');
    const target = `domains/${DOMAIN}/available-types?asset_group_tag_id=${json.data.id}`;
    expect((await ask(200, target)).json.data).toEqual([]);
  });
});
