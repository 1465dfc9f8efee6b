/** What errors keep on their way between threads, by which requests tell a database that restarts from a fault. */
import { surroundingsFault } from '@clew/store';
import { expect, it } from 'vitest';
import { toApiError } from '../operation/errorAnswer.ts';
import { failureOf, plainError } from './generationThread.ts';

const between = (error: Error): Error => plainError(structuredClone(failureOf(error)));

it.each<[string, Error]>([
  ['a server that shuts down', Object.assign(new Error('terminating connection'), { code: '57P01' })],
  [
    'a server that starts up',
    Object.assign(new Error('the database system is starting up'), { code: '57P03' }),
  ],
  ['too many connections', Object.assign(new Error('sorry, too many clients already'), { code: '53300' })],
  [
    'a refused connection',
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' }),
  ],
  [
    'a socket that is not there',
    Object.assign(new Error('connect ENOENT'), { code: 'ENOENT', syscall: 'connect' }),
  ],
  ['a connection that ends', new Error('Connection terminated unexpectedly')],
  [
    'any of these as a cause',
    new Error('cannot load', { cause: Object.assign(new Error('x'), { code: '57P01' }) }),
  ],
])('%s is answered 503 with a time to come back', (_, error) => {
  expect(surroundingsFault(between(error))).toBe(surroundingsFault(error));
  const answer = toApiError(between(error));
  expect([answer.status, answer.headers?.['Retry-After']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
});

it('another error stays one', () => {
  const error = between(new TypeError('no function'));
  expect([error.name, error.message, toApiError(error).status]).toEqual(['TypeError', 'no function', 500]);
});
