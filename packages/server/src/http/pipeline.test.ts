import { describe, expect, test } from 'vitest';
import { ADMIN, type ExpectedError, useTestServer } from '../../test/http/harness.ts';

const harness = useTestServer();

describe('the order of refusals', () => {
  const steps: [string, string, RequestInit, ExpectedError][] = [
    [
      'bad credentials',
      '/json',
      { headers: { authorization: 'test nobody', 'content-encoding': 'br' } },
      { status: 401, context: 'login', message: 'Unauthorized' },
    ],
    [
      'encoding',
      '/json',
      { headers: { 'content-encoding': 'br' } },
      {
        status: 415,
        message:
          'Error trying to read request: failed to create reader for br encoding: content encoding is not supported',
      },
    ],
    ['anonymous', '/json', {}, { status: 401, context: 'login', message: 'not authenticated' }],
    [
      'permission',
      '/json',
      { headers: { authorization: 'test guest' } },
      { status: 403, message: 'not authorized' },
    ],
    [
      'handler',
      '/json',
      { headers: ADMIN, body: '{}' },
      { status: 400, message: 'content type must be application/json' },
    ],
  ];

  test.each(steps)('%s', async (_, path, init, expected) => {
    await harness.expectFailure(path, { method: 'POST', body: 'x', ...init }, expected);
  });

  test('the edition is checked after the permission', async () => {
    const url = await harness.startOther({ edition: 'community' });
    await harness.expectFailure(
      '/enterprise',
      {},
      { status: 401, context: 'login', message: 'not authenticated' },
      url,
    );
    await harness.expectFailure(
      '/enterprise',
      { headers: { authorization: 'test guest' } },
      { status: 403, message: 'not authorized' },
      url,
    );
    await harness.expectFailure(
      '/enterprise',
      { headers: ADMIN },
      { status: 404, message: 'resource not found' },
      url,
    );
    expect((await fetch(`${harness.url}/enterprise`, { headers: ADMIN })).status).toBe(200);
  });

  test('one of several permissions is sufficient', async () => {
    expect((await fetch(`${harness.url}/guarded`, { headers: ADMIN })).status).toBe(200);
  });
});
