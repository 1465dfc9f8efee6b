/** How many requests of assistants are answered at the same time, with operations that do not answer before they are given up. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestContext, UserPrincipal } from '@clew/common';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { mcpHandlers } from './mcpHandlers.ts';

const aborted = { count: 0 };
/** An operation that ends with its request only. */
const endless: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => {
      aborted.count++;
      reject(init.signal?.reason);
    });
  });

const { SendMcpMessage } = mcpHandlers({ fetchAs: () => endless, corsOrigins: ['https://tools.example'] });

function contextOf(userId: string, headers: Readonly<Record<string, string>> = {}, signal?: AbortSignal) {
  const principal: UserPrincipal = {
    ...{ kind: 'user', userId, name: userId, email: null, role: 'User' },
    ...{ permissions: new Set(), environments: null },
  };
  const context: RequestContext = {
    ...{ requestId: 'r', principal, signal: signal ?? new AbortController().signal, deadline: Infinity },
    ...{ log: pino({ level: 'silent' }), clientAddress: '::1', peerAddress: '::1' },
    publicUrl: 'http://127.0.0.1:1',
    headers: {
      ...{ accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      ...headers,
    },
  };
  return context;
}

const CALL = {
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name: 'list_environments', arguments: {} },
} as const;

const send = (context: RequestContext, body: object = CALL) =>
  SendMcpMessage(
    { params: {}, query: {}, rawQuery: new URLSearchParams(), body, stream: undefined } as never,
    context,
  );

it('answers eight requests of a user at once and leaves room for others, until the client leaves', async () => {
  const leaving = new AbortController();
  for (let count = 0; count < 8; count++) await send(contextOf('ann', {}, leaving.signal));
  await expect(send(contextOf('ann'))).rejects.toMatchObject({ status: 429 });
  const other = new AbortController();
  expect(await send(contextOf('bob', {}, other.signal))).toMatchObject({ status: 200 });
  leaving.abort();
  await sleep(100);
  expect(aborted.count).toBe(8);
  const again = new AbortController();
  expect(await send(contextOf('ann', {}, again.signal))).toMatchObject({ status: 200 });
  again.abort();
  other.abort();
  await sleep(100);
});

it('clients that left before their answers began hold nothing', async () => {
  const left = AbortSignal.abort();
  for (let count = 0; count < 8; count++) await send(contextOf('ann', {}, left));
  await sleep(100);
  const next = new AbortController();
  expect(await send(contextOf('ann', {}, next.signal))).toMatchObject({ status: 200 });
  next.abort();
  await sleep(100);
});

it('answers sixty-four requests of all users at once', async () => {
  const leaving = new AbortController();
  for (let user = 0; user < 8; user++)
    for (let count = 0; count < 8; count++) await send(contextOf(`user ${user}`, {}, leaving.signal));
  await expect(send(contextOf('one more'))).rejects.toMatchObject({ status: 429 });
  leaving.abort();
  await sleep(100);
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
  // Messages without an answer hold nothing.
  for (let count = 0; count < 100; count++)
    expect(await send(contextOf('ann'), notification)).toEqual({ status: 202 });
});

it('answers pages of the service and of configured origins only', async () => {
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
  for (const origin of ['http://127.0.0.1:1', 'https://tools.example'])
    expect(await send(contextOf('ann', { origin }), notification)).toEqual({ status: 202 });
  for (const origin of [
    'https://evil.example',
    'null',
    'http://127.0.0.1:2',
    'https://tools.example.evil.example',
  ])
    await expect(send(contextOf('ann', { origin }), notification)).rejects.toMatchObject({ status: 403 });
});

it('a notification cancels the request of the same sender, and no other', async () => {
  const [leaving, other] = [new AbortController(), new AbortController()];
  const mine = { 'user-agent': 'one', authorization: 'Bearer a' };
  const cancel = (requestId: unknown, user = 'ann', headers: Record<string, string> = mine) =>
    send(contextOf(user, headers), {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId },
    });
  const before = aborted.count;
  const answer = await send(contextOf('ann', mine, leaving.signal));
  if ('stream' in answer) answer.stream.resume();
  await send(contextOf('bob', mine, other.signal));
  await cancel(2);
  await cancel('1');
  await cancel(1, 'eve');
  await cancel(1, 'ann', { ...mine, 'user-agent': 'another program' });
  await cancel(1, 'ann', { ...mine, authorization: 'Bearer b' });
  await sleep(50);
  expect(aborted.count).toBe(before);
  expect(await cancel(1)).toEqual({ status: 202 });
  await sleep(50);
  expect(aborted.count).toBe(before + 1);
  // The answer has ended, and its place is free.
  expect('stream' in answer && answer.stream.closed).toBe(true);
  for (let count = 0; count < 8; count++) await send(contextOf('ann', mine, leaving.signal));
  // Several requests have the same id, so none ends.
  await cancel(1);
  await sleep(50);
  expect(aborted.count).toBe(before + 1);
  for (const requestId of [undefined, null, {}, [], 'x'.repeat(1_000)])
    expect(await cancel(requestId)).toEqual({ status: 202 });
  leaving.abort();
  other.abort();
  await sleep(100);
});

it('an assistant is refused for an administrator who sees as another user, and the message says so', async () => {
  const context = contextOf('ann');
  const principal = { ...context.principal, viewedBy: { id: 'root', name: 'root' } };
  await expect(send({ ...context, principal } as never)).rejects.toMatchObject({
    ...{ status: 403, message: expect.stringMatching(/^assistants are refused/) },
  });
});
