/** Compares the answers of an upgraded store with those of the old service. */
import { JOB_STATUS } from '@clew/api';
import { ClewClient } from '@clew/client';
import { type OldStoreName, recordedAnswers } from '@clew/store/testing';
import { expect } from 'vitest';
import type { ServeProcess } from '../serveProcess.ts';
import { signedIn } from './upgradedStore.ts';

/** The interrupted job is complete, and the answers of the old service are repeated. */
export async function expectUpgraded(service: Pick<ServeProcess, 'url'>, name: OldStoreName): Promise<void> {
  const recorded = recordedAnswers(name);
  const client = await signedIn(service);
  expect((await client.waitForJob(recorded.jobs.interrupted)).status).toBe(JOB_STATUS.complete);
  expect((await client.waitForJob(recorded.jobs.complete)).status).toBe(JOB_STATUS.complete);
  const { data: users } = await client.call('ListUsers');
  expect(users.users.map(({ id }) => id)).toContain(recorded.user);
  const ann = await (await signedIn(service, 'ann')).call('GetSelf');
  expect(ann.data).toMatchObject({ principal_name: 'ann' });
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
