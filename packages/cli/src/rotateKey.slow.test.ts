/** Tests the rotation of the key of a service with its own database: clients continue with their tokens and secrets. */
import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClewClient } from '@clew/client';
import { ADMIN_PASSWORD, runClew, startServe } from '@clew/service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let directory: string;
const events: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  events.push({ headers: request.headers, body });
  response.writeHead(204).end();
});

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clew-rotate-'));
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
});
afterAll(async () => {
  receiver.close();
  await rm(directory, { recursive: true });
});

/** Signature of Standard Webhooks. */
function signatureBy(secret: string, { headers, body }: (typeof events)[number]): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

const serve = () => startServe(join(directory, 'data'), { CLEW_WEBHOOK_NETWORKS: '127.0.0.0/8' });
const rotate = () =>
  runClew(['admin', 'rotate-key'], { variables: { CLEW_DATA_DIR: join(directory, 'data') } });
const key = () => readFile(join(directory, 'data/secret.key'), 'utf8');

test('API tokens and secrets of webhooks stay valid, and sessions end', async () => {
  const first = await serve();
  const client = new ClewClient({ url: first.url });
  const { session_token: session } = await client.login('admin', ADMIN_PASSWORD);
  const self = (await client.call('GetSelf')).data;
  const made = await client.call('CreateAuthToken', { body: { user_id: self.id, token_name: 'kept' } });
  const credentials = { tokenId: made.data.id, tokenKey: made.data.key as string };
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const hook = await client.call('CreateWebhook', {
    body: { name: 'siem', url, event_types: ['finding.opened'] },
  });
  const params = { webhook_id: hook.data.id };
  const replaced = await client.call('ReplaceWebhookSecret', { params });
  const before = await key();

  const running = await rotate();
  expect([running.code, running.stderr]).toEqual([1, expect.stringContaining('another Clew is using')]);
  expect(await key()).toBe(before);
  await first.stop();
  const { code, stderr } = await rotate();
  expect([code, stderr.split('\n')]).toEqual([
    0,
    [
      '3 secrets encrypted with the new key; all sessions are ended.',
      `The new key is in ${join(directory, 'data/secret.key')}.`,
      expect.stringContaining('secret.key.previous'),
      '',
    ],
  ]);
  expect(await key()).not.toBe(before);

  const second = await serve();
  try {
    const other = new ClewClient({ url: second.url, credentials });
    expect((await other.call('GetSelf')).data).toMatchObject({ principal_name: 'admin' });
    const ended = new ClewClient({ url: second.url, credentials: { session } });
    await expect(ended.call('GetSelf')).rejects.toMatchObject({ status: 401 });
    await other.call('TestWebhook', { params });
    await expect.poll(() => events.length, { timeout: 60_000 }).toBe(1);
    const signatures = [replaced, hook].map(({ data }) => signatureBy(data.secret, events[0]));
    expect(events[0].headers['webhook-signature']).toBe(signatures.join(' '));
  } finally {
    await second.stop();
  }
});
