/**
 * Tests collectors that omit the mark of a collected domain: an access list in its file identifies it, and without one it counts as not
 * collected.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ace, collection } from '@clew/intake/testing';
import { BOB, DOMAIN, forest } from '@clew/judgment/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ServiceUnderTest } from '../test/serviceUnderTest.ts';

const BARE = 'S-1-5-21-7-7-7';
const domain = (id: string, name: string, aces: readonly object[]) => ({
  ObjectIdentifier: id,
  ...{ Aces: aces, ChildObjects: [], Trusts: [], Links: [] },
  Properties: { name, domain: name, domainsid: id, functionallevel: '2016' },
});

let clew: ServiceUnderTest;
beforeAll(async () => {
  clew = await ServiceUnderTest.start();
  const rights = ['GetChanges', 'GetChangesAll'].map((right) => ({
    ...ace(BOB, right),
    PrincipalType: 'User',
  }));
  const domains = collection('domains', domain(DOMAIN, 'CORP.LOCAL', rights), domain(BARE, 'BARE.LOCAL', []));
  const files = [
    ...forest()
      .filter(({ name }) => name !== 'domains.json')
      .map(({ content }) => content),
    domains,
  ];
  const { id } = (await clew.call('POST', 'file-upload/start')).json.data;
  for (const content of files)
    expect((await clew.call('POST', `file-upload/${id}`, content as object)).status).toBe(202);
  await clew.call('POST', `file-upload/${id}/end`);
  const isComplete = async () => (await clew.data('GET', `file-upload?id=eq:${id}`))[0].status === 2;
  await vi.waitUntil(isComplete, { timeout: 100_000, interval: 100 });
}, 120_000);
afterAll(() => clew.stop());

it('has the finding, the exposure and the plan of a domain whose file has its access list', async () => {
  const { json } = await clew.call('GET', `attack-paths/findings?environment_id=eq:${DOMAIN}&limit=1000`);
  const types = json.data.map(({ finding }: { finding: string }) => finding);
  expect(types).toContain('NonT0DCSyncers');
  const [posture] = await clew.data('GET', `posture-stats?environments=${DOMAIN}`);
  expect(posture.exposure_index).toBeGreaterThan(0);
  let plan = await clew.call('GET', 'plan');
  while (plan.status === 202) {
    await sleep(200);
    plan = await clew.call('GET', 'plan');
  }
  expect(plan.status).toBe(200);
  // Certificate services were not read, so no overall answer may look complete.
  expect(plan.json.data.not_read.join()).toMatch(/Of CORP\.LOCAL, .*AD CS/);
  expect(JSON.stringify(plan.json.data.cards)).toContain('BOB@CORP.LOCAL');
}, 120_000);

it('reports that a domain without mark and access list was not collected', async () => {
  const domains = await clew.data('GET', 'available-domains');
  const shown = (id: string) => domains.find((one: { id: string }) => one.id === id);
  expect(shown(DOMAIN)).toMatchObject({ collected: true });
  expect(shown(DOMAIN).not_read).not.toContain('environment');
  expect(shown(BARE)).toMatchObject({ collected: false, not_read: ['environment'] });
  const { json } = await clew.call('GET', `attack-paths/findings?environment_id=eq:${BARE}`);
  expect(json.data).toEqual([]);
});

it('lists unread parts in every answer on posture', async () => {
  const certificates = expect.arrayContaining(['certificate-services']);
  const { environments } = await clew.data('GET', 'posture/summary');
  expect(environments).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ environment_id: DOMAIN, not_read: certificates }),
      expect.objectContaining({ environment_id: BARE, not_read: ['environment'] }),
    ]),
  );
  const stats = await clew.data('GET', `posture-stats?environments=${DOMAIN}`);
  expect(stats[0].not_read).toEqual(certificates);
  const { json } = await clew.call('GET', `posture-history/exposure?environments=${DOMAIN}`);
  expect(json.not_read).toEqual([{ environment_id: DOMAIN, parts: certificates }]);
});

it('starts the history of zones with the changes and certifications of the system', async () => {
  const { records } = await clew.data('GET', 'asset-group-tags-history?limit=1000');
  const byAction = Map.groupBy(
    records as { action: string; actor: string; target: string }[],
    ({ action }) => action,
  );
  expect([...byAction.keys()].sort()).toEqual(['CertifyNodeAuto', 'CreateSelector', 'CreateTag']);
  const certified = byAction.get('CertifyNodeAuto') ?? [];
  expect(certified.map(({ target, actor }) => `${actor} ${target}`).sort()).toEqual([
    'SYSTEM BARE.LOCAL',
    'SYSTEM CORP.LOCAL',
    'SYSTEM DOMAIN ADMINS@CORP.LOCAL',
    'SYSTEM KRBTGT@CORP.LOCAL',
  ]);
});
