/**
 * Checks that the service answers according to its own description: every operation with valid requests, with numbers at the bounds of
 * columns, with unknown ids, and with invalid requests.
 */
import { hash } from 'node:crypto';
import { routes, type WordSchema, wordsOf } from '@clew/api';
import { sampledCases } from '@clew/common/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ODD_BODIES,
  ODD_TEXTS,
  type Operation,
  operationsOf,
  sampleOf,
  withIntegers,
} from '../test/documentedRequests.ts';
import { startFilledService } from '../test/filledService.ts';
import type { ServiceUnderTest } from '../test/serviceUnderTest.ts';

/** They remove objects that others need, or take seconds to prevent timing attacks. */
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

/** Exceeding the short wait of these requests is not an error. */
const SLOW = /request timed out|transaction timed out|takes longer than the wait time of the request/;

const BOUNDS = [0, -1, 32_767, 32_768, -32_769, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 1 - 2 ** 53];

let service: ServiceUnderTest;
let paths: ReadonlyMap<string, string>;
let operations: readonly Operation[];

beforeAll(async () => {
  ({ service, paths } = await startFilledService());
  operations = operationsOf((await service.call('GET', 'spec?format=json')).json);
}, 60_000);
afterAll(() => service.stop());

/** Distributes cases over operations. */
const placeOf = (text: string): number => hash('sha256', text, 'buffer')[0] as number;

/** All odd texts are distributed over the parameters of all operations. */
function oddTextsFor(parameter: string): readonly string[] {
  const first = placeOf(parameter);
  return [0, 1, 2].map((step) => ODD_TEXTS[(first + step * 5) % ODD_TEXTS.length]);
}

interface Asked {
  readonly target: string;
  readonly body?: unknown;
}

/** Valid requests and requests with unknown ids; and, of thousands of other requests, a ninth. */
function requestsOf(operation: Operation): readonly Asked[] {
  const form = formOf(operation);
  return [...plainRequests(operation, form), ...sampledCases([...oddRequests(operation, form)], 9)];
}

interface Form {
  readonly known: string;
  readonly fitting: object | undefined;
  /** Query with the required parameters. */
  query(more?: readonly (readonly [string, string])[]): string;
}

function formOf({ path, parameters, body }: Operation): Form {
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  return {
    known: (paths.get(`/api/v2/${path}`) ?? path).split('?')[0],
    fitting: body === undefined ? undefined : (sampleOf(body) as object),
    query: (more = []) =>
      new URLSearchParams([
        ...required
          .filter(({ name }) => !more.some(([other]) => other === name))
          .map(({ name, schema }): [string, string] => [name, String(sampleOf(schema))]),
        ...more.map(([name, value]): [string, string] => [name, value]),
      ]).toString(),
  };
}

function* plainRequests({ method, path }: Operation, { known, fitting, query }: Form): Generator<Asked> {
  if (method === 'GET') yield { target: `${known}?${query()}` };
  const unknownIds = ['2147483647', '00000000-0000-0000-0000-000000000001', 'S-1-5-21-9'];
  for (const unknown of path.includes('{')
    ? sampledCases(unknownIds, 3, placeOf(path))
    : unknownIds.slice(0, 1))
    yield { target: `${path.replace(/\{\w+\}/g, unknown)}?${query()}`, body: fitting };
}

function* oddRequests(operation: Operation, { known, fitting, query }: Form): Generator<Asked> {
  const { method, path, parameters, body } = operation;
  // Changes use missing objects, so that later requests find theirs.
  const target = method === 'GET' ? known : path.replace(/\{\w+\}/g, '2147483647');
  for (const { name, schema } of parameters.filter((parameter) => parameter.in === 'query'))
    for (const value of schema.type === 'integer' ? BOUNDS.map(String) : oddTextsFor(`${path} ${name}`))
      yield { target: `${target}?${query([[name, value]])}`, body: fitting };
  if (body === undefined) return;
  for (const other of withIntegers(fitting, body, BOUNDS))
    yield { target: `${target}?${query()}`, body: other };
  for (const other of [...ODD_BODIES, ...misfitsOf(fitting, body)])
    yield { target: `${target}?${query()}`, body: other };
}

/** Bodies in which one member is missing, has another type, or is too long. */
function* misfitsOf(fitting: unknown, { properties = {}, required = [] }: BodySchema): Generator<object> {
  for (const name of required) yield { ...(fitting as object), [name]: undefined };
  for (const [name, { type, maxLength, maxItems = 0 }] of Object.entries(properties)) {
    yield { ...(fitting as object), [name]: type === 'string' ? { text: 1 } : 'text' };
    const long = maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)];
    const many = maxItems > 0 && maxItems <= 1_000 ? [Array.from({ length: maxItems + 1 }, () => 'x')] : [];
    for (const value of [...long, ...many]) yield { ...(fitting as object), [name]: value };
  }
}

interface BodySchema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<
    Record<string, { readonly type?: string; readonly maxLength?: number; readonly maxItems?: number }>
  >;
}

/** Phrases of the validation library, which must not occur in error messages. */
const OF_THE_LIBRARY =
  /schema in|anyOf|must match|must NOT|<=|>=|equal to constant|fewer than|required propert/;

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

/** Messages quote parts of the request. */
const withoutQuotes = (text: string): string => text.replace(/\\".*?\\"/g, '');

/** The enumeration values of a parameter or member in several cases. */
function* writtenWords(schema: WordSchema): Generator<readonly string[]> {
  for (const word of wordsOf(schema) ?? [])
    if (/[a-z]/i.test(word))
      yield [word, word.toUpperCase(), word.toLowerCase(), word.replace(/[a-z]/gi, alternating)];
}
const alternating = (letter: string, at: number): string =>
  at % 2 === 0 ? letter.toUpperCase() : letter.toLowerCase();

/** Retries if the service ran out of time: the first answers of some operations exceed the wait here. */
async function inTime(method: string, asked: Asked): ReturnType<typeof ask> {
  for (let tries = 1; ; tries++) {
    const answer = await ask(method, asked);
    if (answer.status !== 500 || !answer.text.includes('request timed out') || tries === 20) return answer;
  }
}

test('words of enumerations are case-insensitive in every operation', { timeout: 300_000 }, async () => {
  const faults: unknown[] = [];
  let asked = 0;
  for (const operation of operations.filter(({ operationId }) => !NOT_ASKED.has(operationId))) {
    const { method, path, parameters, body } = operation;
    const known = (paths.get(`/api/v2/${path}`) ?? path).split('?')[0];
    const target = method === 'GET' ? known : path.replace(/\{\w+\}/g, '2147483647');
    const required = parameters
      .filter((parameter) => parameter.in === 'query' && parameter.required)
      .map(({ name, schema }): [string, string] => [name, String(sampleOf(schema))]);
    const query = (more: Readonly<Record<string, string>>) =>
      `${target}?${new URLSearchParams({ ...Object.fromEntries(required), ...more })}`;
    const fitting = body === undefined ? undefined : sampleOf(body);
    const requests = [
      ...parameters
        .filter((parameter) => parameter.in === 'query')
        .map(({ name, schema }) => ({
          ...{ name, schema },
          of: (word: string): Asked => ({ target: query({ [name]: word }), body: fitting }),
        })),
      ...Object.entries((body as WordSchema | undefined)?.properties ?? {}).map(([name, schema]) => ({
        ...{ name, schema },
        of: (word: string): Asked => ({ target: query({}), body: { ...fitting, [name]: word } }),
      })),
    ];
    for (const { name, schema, of } of requests)
      for (const [word = '', ...others] of sampledCases(
        [...writtenWords(schema)],
        9,
        placeOf(`${path} ${name}`),
      )) {
        const as = await inTime(method, of(word));
        for (const other of others) {
          const { status, text } = await inTime(method, of(other));
          asked++;
          // Created once, and refused as a duplicate the second time.
          const isSame = status === as.status || (as.status < 300 && status === 409);
          if (!isSame || text.includes('must be one of'))
            faults.push([operation.operationId, name, other, as.status, status, text.slice(0, 200)]);
        }
      }
  }
  expect(faults).toEqual([]);
  expect(asked).toBeGreaterThan(100);
});

test('the description has all operations', () => {
  expect(operations.length).toBeGreaterThan(routes.length - 5);
});

test.each(['GET', 'PUT', 'PATCH', 'POST', 'DELETE'])(
  '%s answers according to the description',
  // Thousands of requests, which take minutes on a busy machine.
  { timeout: 600_000 },
  async (method) => {
    const faults: unknown[] = [];
    for (const operation of operations.filter(
      (one) => one.method === method && !NOT_ASKED.has(one.operationId),
    ))
      for (const asked of requestsOf(operation)) {
        const { status, text } = await ask(method, asked);
        const isSentence = status !== 400 || !OF_THE_LIBRARY.test(withoutQuotes(text));
        if (operation.statuses.has(status) && isSentence && (status < 500 || SLOW.test(text))) continue;
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
