/** Tests the parts of errors that are kept between threads, because they distinguish a restarting database from a program error. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { emptyGeneration } from '@clew/generation';
import { surroundingsFault } from '@clew/store';
import { expect, it } from 'vitest';
import { toApiError } from '../operation/errorAnswer.ts';
import { failureOf, GenerationThread, plainError } from './generationThread.ts';

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
])('%s is answered 503 with a time to retry', (_, error) => {
  expect(surroundingsFault(between(error))).toBe(surroundingsFault(error));
  const answer = toApiError(between(error));
  expect([answer.status, answer.headers?.['Retry-After']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
});

it('another error stays unchanged', () => {
  const error = between(new TypeError('no function'));
  expect([error.name, error.message, toApiError(error).status]).toEqual(['TypeError', 'no function', 500]);
});

it('a thread that does not react during a question is replaced, and the next question is answered', async () => {
  const thread = new GenerationThread({
    ...{ name: 'endless', workerData: {}, errorOf: plainError },
    script: new URL('../../test/threads/endlessThread.ts', import.meta.url),
  });
  try {
    const ask = (task: string, signal = new AbortController().signal): Promise<unknown> =>
      thread.ask(emptyGeneration(), task, {}, signal);
    const first = await ask('quick');
    const abort = new AbortController();
    const endless = ask('endless', abort.signal).catch((error: unknown) => error);
    const behind = ask('quick');
    abort.abort(new Error('its time is over'));
    expect(await endless).toMatchObject({ message: 'its time is over' });
    // A different thread answered.
    expect(await behind).not.toBe(first);
  } finally {
    await thread.close();
  }
});

it('an idle thread frees the memory that a question used, and serves the next one', async () => {
  // In a separate process, because that of the tests returns memory at any time.
  const script = fileURLToPath(new URL('../../test/threads/restingThread.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  const { before, filled, rested, next } = JSON.parse(stdout);
  expect(filled).toBeGreaterThan(before + 150);
  expect(rested).toBeLessThan(before + 75);
  expect(next).toBe(2);
});

it('a thread that forgets its generation continues, and receives it again with the next question', async () => {
  const thread = new GenerationThread({
    ...{ name: 'forgetting', workerData: {}, errorOf: plainError },
    script: new URL('../../test/threads/forgettingThread.ts', import.meta.url),
  });
  const ask = () => thread.ask(emptyGeneration(), 'any', undefined, new AbortController().signal);
  try {
    await thread.forget();
    expect(thread.isRunning).toBe(false);
    const first = (await ask()) as [number, number];
    expect(first[1]).toBe(1);
    expect(await ask()).toEqual(first);
    const [, , again] = await Promise.all([ask(), thread.forget(), ask()]);
    expect(again).toEqual(first);
  } finally {
    await thread.close();
  }
});
