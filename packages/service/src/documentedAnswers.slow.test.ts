/**
 * The service answers according to its own description, whatever is sent: every operation of the document with fitting requests, with
 * each number at the bounds of columns, with ids of nothing, and with requests that do not fit.
 */
import { hash } from 'node:crypto';
import { routes } from '@clew/api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ODD_BODIES,
  ODD_TEXTS,
  type Operation,
  operationsOf,
  sampleOf,
  withIntegers,
} from './testing/documentedRequests.ts';
import { startFilledService } from './testing/filledService.ts';
import type { ServiceUnderTest } from './testing/serviceUnderTest.ts';

/** They remove objects that the others need, or take seconds so that no one can guess by the time. */
const NOT_ASKED: ReadonlySet<string> = new Set([
  ...[
    'Login',
    'Logout',
    'RequestClearDatabase',
    'ClearDatabase',
    'DeleteUser',
    'SetUserSecret',
    'ExpireUserSecret',
  ],
]);

/** A longer time than these requests wait is not an error of the request. */
const SLOW = /request timed out|transaction timed out|takes longer than you wait/;

const BOUNDS = [0, -1, 32_767, 32_768, -32_769, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 1 - 2 ** 53];

let service: ServiceUnderTest;
let paths: ReadonlyMap<string, string>;
let operations: readonly Operation[];

beforeAll(async () => {
  ({ service, paths } = await startFilledService());
  operations = operationsOf((await service.call('GET', 'spec?format=json')).json);
}, 60_000);
afterAll(() => service.stop());

/** All of them, spread over the parameters of all operations. */
function oddTextsFor(parameter: string): readonly string[] {
  const first = hash('sha256', parameter, 'buffer')[0];
  return [0, 1, 2].map((step) => ODD_TEXTS[(first + step * 5) % ODD_TEXTS.length]);
}

interface Asked {
  readonly target: string;
  readonly body?: unknown;
}

function* requestsOf({ method, path, parameters, body }: Operation): Generator<Asked> {
  const known = (paths.get(`/api/v2/${path}`) ?? path).split('?')[0];
  const fitting = body === undefined ? undefined : sampleOf(body);
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const query = (more: readonly (readonly [string, string])[] = []): string =>
    new URLSearchParams([
      ...required
        .filter(({ name }) => !more.some(([other]) => other === name))
        .map(({ name, schema }): [string, string] => [name, String(sampleOf(schema))]),
      ...more.map(([name, value]): [string, string] => [name, value]),
    ]).toString();
  // Changes name missing objects, so that later requests find theirs.
  const isRead = method === 'GET';
  const target = isRead ? known : path.replace(/\{\w+\}/g, '2147483647');
  if (isRead) yield { target: `${known}?${query()}` };
  for (const unknown of ['2147483647', '00000000-0000-0000-0000-000000000001', 'S-1-5-21-9'])
    yield { target: `${path.replace(/\{\w+\}/g, unknown)}?${query()}`, body: fitting };
  for (const { name, in: place, schema } of parameters.filter(({ in: where }) => where === 'query'))
    for (const value of schema.type === 'integer' ? BOUNDS.map(String) : oddTextsFor(`${path} ${name}`))
      if (place === 'query') yield { target: `${target}?${query([[name, value]])}`, body: fitting };
  if (body === undefined) return;
  for (const other of withIntegers(fitting, body, BOUNDS))
    yield { target: `${target}?${query()}`, body: other };
  for (const other of ODD_BODIES) yield { target: `${target}?${query()}`, body: other };
}

async function ask(method: string, { target, body }: Asked): Promise<{ status: number; text: string }> {
  const answer = await fetch(new URL(target, `${service.service.url}/api/v2/`), {
    method,
    redirect: 'manual',
    headers: {
      authorization: service.authorization,
      prefer: 'wait=1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

test('the description has all operations', () => {
  expect(operations.length).toBeGreaterThan(routes.length - 5);
});

test.each(['GET', 'PUT', 'PATCH', 'POST', 'DELETE'])(
  '%s answers according to the description',
  // Some thousand requests: minutes on a machine that does much else.
  { timeout: 600_000 },
  async (method) => {
    const faults: unknown[] = [];
    for (const operation of operations.filter(
      (one) => one.method === method && !NOT_ASKED.has(one.operationId),
    ))
      for (const asked of requestsOf(operation)) {
        const { status, text } = await ask(method, asked);
        if (operation.statuses.has(status) && (status < 500 || SLOW.test(text))) continue;
        faults.push([
          operation.operationId,
          status,
          asked.target.slice(0, 150),
          JSON.stringify(asked.body)?.slice(0, 150),
          text.slice(0, 200),
        ]);
        break;
      }
    expect(faults).toEqual([]);
  },
);
