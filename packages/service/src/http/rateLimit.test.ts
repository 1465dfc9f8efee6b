import { describe, expect, test } from 'vitest';
import { ApiError } from '../operation/apiError.ts';
import type { ClientPrincipal, Principal } from '../operation/principal.ts';
import { RateLimiter } from './rateLimit.ts';
import { ADMIN, expectError, useTestServer } from './testing/harness.ts';
import { userNamed } from './testing/testServer.ts';

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

/** A limiter of 3 requests per second whose clock stands still. */
function limiterAt(time = { now: 1_700_000_000_000 }, limit = 3) {
  const limiter = new RateLimiter(limit, () => time.now);
  /** @returns how many of so many requests pass */
  const passes = (count: number, principal: Principal | undefined, address = HERE) =>
    Array.from({ length: count }).filter(() => {
      try {
        limiter.admit('standard', address);
        limiter.count('standard', address, principal);
        return true;
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
        return false;
      }
    }).length;
  return { limiter, passes, time };
}

describe('the rate limiter', () => {
  test('lets so many requests per second pass, and again in the next one', () => {
    const { passes, time } = limiterAt();
    expect(passes(5, ALICE)).toBe(3);
    time.now += 999;
    expect(passes(5, ALICE)).toBe(0);
    time.now += 1;
    expect(passes(5, ALICE)).toBe(3);
  });

  test('counts principals and addresses apart', () => {
    const { passes } = limiterAt();
    for (const principal of [ALICE, BOB, CLIENT]) expect(passes(5, principal)).toBe(3);
    expect(passes(5, ALICE, '10.0.0.2')).toBe(3);
  });

  test('counts anonymous requests and failed credentials of an address together', () => {
    const { passes } = limiterAt();
    expect(passes(2, ANONYMOUS)).toBe(2);
    expect(passes(2, undefined)).toBe(1);
    expect(passes(1, ANONYMOUS)).toBe(0);
    expect(passes(3, ALICE)).toBe(3);
  });

  test('looks at no credentials of an address that floods', () => {
    const { passes, limiter } = limiterAt();
    expect(passes(12, undefined)).toBe(3);
    expect(passes(1, ALICE)).toBe(0);
    expect(() => limiter.admit('standard', HERE)).toThrow(ApiError);
    expect(passes(1, ALICE, '10.0.0.2')).toBe(1);
  });

  test('lets an address log in once a second', () => {
    const { limiter, time } = limiterAt();
    limiter.admit('login', HERE);
    expect(() => limiter.admit('login', HERE)).toThrow('Too many requests. Please try again later.');
    limiter.admit('login', '10.0.0.2');
    time.now += 1000;
    limiter.admit('login', HERE);
  });

  test('leaves exempt requests alone, and everything when it is off', () => {
    const { limiter } = limiterAt();
    for (let n = 0; n < 100; n++) {
      limiter.admit('exempt', HERE);
      limiter.count('exempt', HERE, ALICE);
    }
    const off = limiterAt(undefined, 0);
    expect(off.passes(100, undefined)).toBe(100);
    off.limiter.admit('login', HERE);
    off.limiter.admit('login', HERE);
  });
});

describe('a request over the limit', () => {
  const harness = useTestServer();

  test('is answered 429 in the wrapper, with headers', async () => {
    const url = await harness.startOther({ rateLimit: 3 });
    // More than three seconds' worth at once: some are refused, wherever the seconds begin.
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

  test('never was, on exempt routes', async () => {
    const url = await harness.startOther({ rateLimit: 1 });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => fetch(`${url}/stream`, { method: 'POST', headers: ADMIN })),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });
});
