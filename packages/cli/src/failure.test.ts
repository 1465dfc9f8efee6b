import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { ApiError, ClewClient, ConnectionError } from '@clew/client';
import { describe, expect, it } from 'vitest';
import { CommandError, describeFailure } from './failure.ts';

const apiError = (status: number, ...messages: string[]) =>
  new ApiError({ status, context: 'clients', messages, requestId: 'f3a1', retryAfter: undefined });

describe('a failure', () => {
  it('of the connection reports that nothing listens, and how to start the service', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.close();
    await once(server, 'close');
    const client = new ClewClient({ url, retry: { retries: 0 } });
    const error = await client.call('GetHealth').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(describeFailure(error)).toContain(
      `cannot reach ${url}: no service is listening there; "clew serve" starts`,
    );
  });

  it.each([
    [
      401,
      'not authenticated',
      /^not signed in, or the session has expired: not authenticated; sign in with "clew login"/,
    ],
    [403, 'not authorized', /^not allowed: not authorized$/],
    [
      403,
      'User does not have permission to access this domain',
      /^not allowed: it covers environments outside your access$/,
    ],
    [404, 'node not found', /^the service says: node not found$/],
    [429, 'Too many requests.', /^too many requests, try again later/],
    [500, 'an internal error', /^the service failed: an internal error \(request f3a1\)$/],
  ])('with status %i is one clear line', (status, message, line) => {
    expect(describeFailure(apiError(status, message))).toMatch(line);
  });

  it('of a file names the file', async () => {
    const error = await readFile('/nowhere/to/be/found.json').catch((caught: unknown) => caught);
    expect(describeFailure(error)).toBe('/nowhere/to/be/found.json: no such file or directory');
  });

  it('never breaks the line or moves the cursor, whatever the service answers', () => {
    const line = describeFailure(apiError(400, 'bad\nname \u001b[2J'));
    expect(line).toBe('the service says: bad\u{fffd}name \u{fffd}[2J');
    expect(describeFailure(new CommandError('a\rb'))).toBe('a\u{fffd}b');
  });

  it('that is unexpected is reported as such, without a stack trace', () => {
    expect(describeFailure(new RangeError('odd'))).toBe('unexpected: odd');
    expect(describeFailure('text')).toBe('unexpected: text');
  });
});
