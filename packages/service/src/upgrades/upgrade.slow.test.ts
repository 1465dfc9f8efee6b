/** Opens stores of earlier versions, whose service was killed in the middle of an ingest. `upgrade.long.test.ts` kills at each step. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JOB_STATUS } from '@clew/api';
import { ClewClient } from '@clew/client';
import { backupOf, OLD_KEY, OLD_STORES, type OldStoreName, recordedAnswers } from '@clew/store/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runClew, type ServeProcess, startServe } from '../../test/serveProcess.ts';
import { signedIn, UpgradedStore } from '../../test/upgrades/upgradedStore.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'clew-upgrade-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The interrupted job is complete, and the answers of the old service are repeated. */
async function expectUpgraded(service: Pick<ServeProcess, 'url'>, name: OldStoreName): Promise<void> {
  const recorded = recordedAnswers(name);
  const client = await signedIn(service);
  expect((await client.waitForJob(recorded.jobs.interrupted)).status).toBe(JOB_STATUS.complete);
  expect((await client.waitForJob(recorded.jobs.complete)).status).toBe(JOB_STATUS.complete);
  const { data: users } = await client.call('ListUsers');
  expect(users.users.map(({ id }) => id)).toContain(recorded.user);
  expect((await signedIn(service, 'ann')).url).toBe(service.url);
  // Its key is encrypted with the secret key of the installation.
  const credentials = { tokenId: recorded.token.id, tokenKey: recorded.token.key };
  const self = await new ClewClient({ url: service.url, credentials }).call('GetSelf');
  expect(self.data).toMatchObject({ principal_name: 'admin' });
  const { data: queries } = await client.call('ListSavedQueries');
  expect(queries.map(({ query }) => query)).toContain(recorded.query);
  const { data: zones } = await client.call('GetAssetGroupTags');
  expect(zones.tags.map(({ name: title }) => title)).toContain(recorded.zone);
  // The second collection adds 30 people, and the accounts of its own domain.
  const { data: statistics } = await client.call('GetGraphStatistics');
  const before = recorded.collected?.nodes?.User ?? 0;
  expect(before).toBeGreaterThan(40);
  expect(statistics.collected.nodes.User).toBeGreaterThan(before + 30);
  expect((await client.call('ListAttackPathFindings')).count).toBeGreaterThan(0);
}

it.each(OLD_STORES)('$title is upgraded after kills in its steps, and its job is finished', async ({ name }) => {
  const store = await UpgradedStore.restore(name, join(directory, name));
  try {
    const { MIGRATIONS } = await import('@clew/store/testing');
    const before = new Set(await store.applied());
    const due = MIGRATIONS.filter((step) => !before.has(step.name));
    const tenth = due.filter((_, at) => at % 10 === 5);
    expect(tenth.length).toBeGreaterThan(1);
    for (const step of tenth) {
      await store.killAt(step.name);
      const applied = new Set(await store.applied());
      const next = due.indexOf(step);
      expect(due.map(({ name: each }) => applied.has(each))).toEqual(due.map((_, at) => at < next));
    }
    const service = await store.start();
    try {
      const log = service.output();
      const [begins, again] = [log.indexOf('upgrading the database'), log.indexOf('everything is analyzed again')];
      expect(begins).toBeGreaterThan(-1);
      expect(again).toBeGreaterThan(begins);
      expect(log.indexOf('"listening"')).toBeGreaterThan(again);
      await expectUpgraded(service, name);
    } finally {
      await service.stop();
    }
  } finally {
    await store.close();
  }
});
