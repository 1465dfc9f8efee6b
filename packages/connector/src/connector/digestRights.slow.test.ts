/**
 * Digests of a real service at a real mail server: each receiver gets only objects that the user of its token may see. The service makes plans:
 * a digest has the first card, and would wait for a plan that is never made.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClewClient } from '@clew/client';
import { ServiceUnderTest, sidOf, twoDomains } from '@clew/service/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MailModel } from '../../test/trackers/mail.ts';
import { ConnectorState } from '../state/connectorState.ts';
import { openFile } from '../state/sqlEngine.ts';
import { openWorkSystem } from '../tickets/systems/index.ts';
import { readSettings } from './settings.ts';
import { runTickets } from './ticketRun.ts';

let service: ServiceUnderTest;
let directory: string;
const mail = new MailModel();

beforeAll(async () => {
  await mail.start();
  directory = await mkdtemp(join(tmpdir(), 'clew-digest-'));
  service = await ServiceUnderTest.start();
  await service.upload(...twoDomains({ NORTH: [], SOUTH: [] }, [1101, 1102]));
  await service.upload(...twoDomains({ NORTH: [1101], SOUTH: [1102] }, [1101, 1102, 1103]));
  await service.settled();
  await service.addUser('sam', 'User', [sidOf('SOUTH')]);
}, 120_000);
afterAll(async () => {
  await service.stop();
  await mail[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

/** @param state name of its file */
async function digestOf(user: string, state = user): Promise<string> {
  const { id, key } = (await service.as(user, 'POST', 'tokens', { token_name: 'digest' })).json.data;
  const platform = { ...mail.settings(), digest: { every: 'day' } };
  const server = service.service.url;
  const settings = readSettings({ server, tokenId: id, tokenKey: key, platform });
  const system = openWorkSystem(platform as never);
  const engine = openFile(join(directory, `${state}.db`));
  try {
    const report = await runTickets({
      ...{ settings, platform: system },
      client: new ClewClient({ url: server, credentials: { tokenId: id, tokenKey: key } }),
      state: await ConnectorState.open(engine, server, 'file'),
      log: { info: () => {}, warn: () => {} },
    });
    expect(report).toMatchObject({ status: 'complete', faults: [], delivery: { delivered: 1 } });
  } finally {
    await system.close();
    await engine.close();
  }
  return mail.messages.at(-1) ?? '';
}

it('has findings of the environments of its user, and of no other', async () => {
  const [all, south] = [await digestOf('admin'), await digestOf('sam')];
  expect(all).toContain('U1101@NORTH.EXAMPLE to');
  expect(all).toContain('U1102@SOUTH.EXAMPLE to');
  // The first card of all is about the other environment.
  expect(all).toMatch(/FIRST CARD\s+- Remove GenericAll on DOMAIN ADMINS@NORTH.EXAMPLE/);
  expect(south).toContain('U1102@SOUTH.EXAMPLE to');
  expect(south).toMatch(/FIRST CARD\s+- Remove GenericAll on DOMAIN ADMINS@SOUTH.EXAMPLE/);
  expect(south).not.toContain('NORTH');
}, 120_000);

it('has overdue findings without an owner, also for a user who cannot accept risks', async () => {
  const { status } = await service.call('PUT', 'config', {
    key: 'findings.service_levels',
    value: { critical: 1, high: 1, moderate: 1, low: 1, since: '2020-01-01' },
  });
  expect(status).toBe(200);
  await service.database.pool.query(
    "update finding set created_at = created_at - make_interval(days => 2) where source_name like 'U110%'",
  );
  const [all, south] = [await digestOf('admin', 'all'), await digestOf('sam', 'south')];
  for (const text of [all, south]) expect(text).toMatch(/overdue: [1-9]/i);
  expect(all).toMatch(/U1101@NORTH.EXAMPLE.*due/);
  expect(all).toMatch(/U1102@SOUTH.EXAMPLE.*due/);
  expect(south).toMatch(/U1102@SOUTH.EXAMPLE.*due/);
  expect(south).not.toContain('NORTH');
}, 120_000);
