import { ApiError, type ClientPrincipal, type Principal } from '@clew/common';
import { describe, expect, test } from 'vitest';
import { ADMIN, expectError, useTestServer } from '../../test/http/harness.ts';
import { userNamed } from '../../test/http/testServer.ts';
import { RateLimiter } from './rateLimit.ts';

const CLIENT: ClientPrincipal = {
  kind: 'client',
  clientId: 'id-of-collector',
  name: 'collector',
  permissions: new Set(),
  tokenId: 'token',
};
const ANONYMOUS: Principal = { kind: 'anonymous', permissions: new Set() };
const ALICE = userNamed('alice', []);
const BOB = userNamed('bob', []);
const HERE = '10.0.0.1';

type Route = Parameters<RateLimiter['admit']>[0];
const LIST: Route = { operationId: 'List' };
const OTHER_LIST: Route = { operationId: 'OtherList' };
const LOGIN: Route = { operationId: 'Login', rateClass: 'login' };

/** A limiter of 3 requests per second with a stopped clock. */
function limiterAt(time = { now: 1_700_000_000_000 }, limit = 3) {
  const limiter = new RateLimiter(limit, () => time.now);
  /** @returns the number of requests that pass */
  const passes = (count: number, principal: Principal | undefined, address = HERE, route: Route = LIST) =>
    Array.from({ length: count }).filter(() => {
      try {
        limiter.admit(route, address);
        if (principal === undefined) limiter.countFailure(route, address);
        else limiter.count(route, address, principal);
        return true;
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
        return false;
      }
    }).length;
  return { limiter, passes, time };
}

describe('limiters that share their counts', () => {
  const time = { now: 1_700_000_000_000 };
  const pair = (limit: number) => {
    const [one, other] = [limiterAt(time, limit), limiterAt(time, limit)];
    one.limiter.shareWith((count) => other.limiter.add(count));
    other.limiter.shareWith((count) => one.limiter.add(count));
    return { one, other };
  };

  test('allow as many requests together as one of them', () => {
    const { one, other } = pair(80);
    let passed = 0;
    for (let round = 0; round < 100; round++) passed += one.passes(1, ALICE) + other.passes(1, ALICE);
    // Each may have kept back less than an eighth.
    expect(passed).toBeGreaterThanOrEqual(80);
    expect(passed).toBeLessThanOrEqual(100);
    expect(other.passes(1, BOB)).toBe(1);
  });

  test('share each sign-in', () => {
    const { one, other } = pair(80);
    expect(one.passes(1, undefined, HERE, LOGIN)).toBe(1);
    expect(other.passes(1, undefined, HERE, LOGIN)).toBe(0);
    expect(other.passes(1, undefined, '10.0.0.2', LOGIN)).toBe(1);
  });

  test('ignore counts of past seconds', () => {
    const { limiter, passes } = limiterAt(time, 8);
    limiter.add({ window: time.now / 1000 - 1, key: 'login 10.0.0.1', count: 5 });
    expect(passes(1, undefined, HERE, LOGIN)).toBe(1);
  });

  test('share a limited number of counts per second, however many clients there are', () => {
    const { limiter, passes } = limiterAt(time, 8);
    let told = 0;
    limiter.shareWith(() => told++);
    for (let client = 0; client < 1000; client++) passes(1, ALICE, `10.0.${client >> 8}.${client & 255}`);
    expect(told).toBe(200);
  });
});

describe('the rate limiter', () => {
  test('allows this many requests per second, and again in the next one', () => {
    const { passes, time } = limiterAt();
    expect(passes(5, ALICE)).toBe(3);
    time.now += 999;
    expect(passes(5, ALICE)).toBe(0);
    time.now += 1;
    expect(passes(5, ALICE)).toBe(3);
  });

  test('counts principals and addresses separately', () => {
    const { passes } = limiterAt();
    for (const principal of [ALICE, BOB, CLIENT]) expect(passes(5, principal)).toBe(3);
    expect(passes(5, ALICE, '10.0.0.2')).toBe(3);
  });

  test('counts operations separately, so that a client that needs many of them is not slowed down', () => {
    const { passes } = limiterAt();
    for (const route of [LIST, OTHER_LIST]) expect(passes(5, ALICE, HERE, route)).toBe(3);
    expect(passes(5, ALICE, HERE, LIST)).toBe(0);
  });

  test('counts anonymous requests of an address together', () => {
    const { passes } = limiterAt();
    expect(passes(4, ANONYMOUS)).toBe(3);
    expect(passes(3, ALICE)).toBe(3);
  });

  test('counts wrong credentials of an address together, over all operations, and separately from others', () => {
    const { passes } = limiterAt();
    expect(passes(2, undefined)).toBe(2);
    expect(passes(2, undefined, HERE, OTHER_LIST)).toBe(1);
    expect(passes(4, ANONYMOUS)).toBe(3);
    expect(passes(4, ALICE)).toBe(3);
  });

  test('allows ten or a hundred times as many cheap requests', () => {
    const { passes } = limiterAt();
    expect(passes(40, ALICE, HERE, { operationId: 'Upload', rateClass: 'wide' })).toBe(30);
    expect(passes(400, ALICE, HERE, { operationId: 'Text', rateClass: 'static' })).toBe(300);
  });

  test('does not check credentials of an address that floods', () => {
    const { passes, limiter } = limiterAt();
    expect(passes(12, undefined)).toBe(3);
    expect(passes(1, ALICE)).toBe(0);
    expect(() => limiter.admit(LIST, HERE)).toThrow(ApiError);
    expect(passes(1, ALICE, '10.0.0.2')).toBe(1);
  });

  test('allows an address to sign in once a second', () => {
    const { limiter, time } = limiterAt();
    limiter.admit(LOGIN, HERE);
    expect(() => limiter.admit(LOGIN, HERE)).toThrow('Too many requests. Please try again later.');
    limiter.admit(LOGIN, '10.0.0.2');
    time.now += 1000;
    limiter.admit(LOGIN, HERE);
  });

  test('ignores exempt requests, and everything when disabled', () => {
    const { limiter } = limiterAt();
    for (let n = 0; n < 100; n++) {
      limiter.admit({ operationId: 'Health', rateClass: 'exempt' }, HERE);
      limiter.count({ operationId: 'Health', rateClass: 'exempt' }, HERE, ALICE);
    }
    const off = limiterAt(undefined, 0);
    expect(off.passes(100, undefined)).toBe(100);
    off.limiter.admit(LOGIN, HERE);
    off.limiter.admit(LOGIN, HERE);
  });
});

describe('a request over the limit', () => {
  const harness = useTestServer();

  test('is answered 429 in the wrapper, with headers', async () => {
    const url = await harness.startOther({ rateLimit: 3 });
    // More than three seconds' worth at once: some are refused, wherever the seconds start.
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => fetch(`${url}/any`, { headers: ADMIN })),
    );
    const answer = answers.find(({ status }) => status === 429) as Response;
    expectError(
      { status: 429, headers: answer.headers, wrapper: await answer.json() },
      { status: 429, context: 'middleware', message: 'Too many requests. Please try again later.' },
    );
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.headers.get('x-ratelimit-limit')).toBe('3');
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
    const reset = Number(answer.headers.get('x-ratelimit-reset'));
    expect(Math.abs(reset - Date.now() / 1000)).toBeLessThan(60);
    const passed = answers.find(({ status }) => status === 200);
    expect(passed?.headers.get('x-ratelimit-limit')).toBeNull();
  });

  test('never occurs on exempt routes', async () => {
    const url = await harness.startOther({ rateLimit: 1 });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => fetch(`${url}/stream`, { method: 'POST', headers: ADMIN })),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });
});
