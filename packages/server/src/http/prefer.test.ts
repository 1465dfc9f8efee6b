import type { ErrorWrapper } from '@clew/api';
import { describe, expect, test } from 'vitest';
import { useTestServer } from '../../test/http/harness.ts';
import { openSocket } from '../../test/http/rawClient.ts';

const harness = useTestServer();

describe('Prefer', () => {
  test.each([
    ['wait=5', 'wait=5.00'],
    ['respond-async, wait=10', 'wait=10.00'],
    ['Wait = 7', 'wait=7.00'],
    ['wait=0', null],
    ['respond-async', null],
    ['return=minimal; foo', null],
    ['wait=99999999999999999999', 'wait=2000000.00'],
  ])('%s is applied', async (prefer, applied) => {
    const answer = await fetch(`${harness.url}/open`, { headers: { prefer } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('preference-applied')).toBe(applied);
  });

  test.each([
    ['wait=-1', 'failed to bypass limits: feature disabled'],
    ['wait=-2', 'incorrect bypass limit value'],
    ['wait=abc', 'parsing "abc": invalid syntax'],
    ['wait=', 'parsing "": invalid syntax'],
    ['wait=1.5', 'parsing "1.5": invalid syntax'],
  ])('%s is refused before everything else', async (prefer, reason) => {
    for (const path of ['/open', '/nothing', '/guarded'])
      await harness.expectFailure(
        path,
        { headers: { prefer } },
        { status: 400, message: `Prefer header has an invalid value: ` },
      );
    const answer = await fetch(`${harness.url}/open`, { headers: { prefer } });
    expect(((await answer.json()) as ErrorWrapper).errors[0].message).toContain(reason);
  });

  test.each([
    ['wait=5, generation=3', 'wait=5.00, generation=3'],
    ['generation=4;wait', undefined],
    ['Generation = 2', 'generation=2'],
  ])('%s: does not wait for a graph that is already visible', async (prefer, applied) => {
    const url = await harness.startOther({
      generations: { current: () => ({ id: 3 }), onSwap: () => () => {} },
    });
    const answer = await fetch(`${url}/open`, { headers: { prefer } });
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual(
      applied === undefined ? [400, null] : [200, applied],
    );
  });

  test('waits for the requested graph within the time limit', async () => {
    const shown = { id: 3, listeners: new Set<(generation: { id: number }) => void>() };
    const url = await harness.startOther({
      generations: {
        current: () => shown,
        onSwap(listener) {
          shown.listeners.add(listener);
          return () => shown.listeners.delete(listener);
        },
      },
    });
    const ask = (generation: number) =>
      fetch(`${url}/open`, { headers: { prefer: `wait=1, generation=${generation}` } });
    let answered = false;
    const asked = ask(4).then((answer) => {
      answered = true;
      return answer;
    });
    while (shown.listeners.size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(answered).toBe(false);
    shown.id = 4;
    for (const listener of shown.listeners) listener({ id: 4 });
    expect((await asked).status).toBe(200);
    const late = await ask(5);
    expect([late.status, Number(late.headers.get('retry-after'))]).toEqual([503, 10]);
    const { errors } = (await late.json()) as { errors: { message: string }[] };
    expect(errors[0].message).toMatch(/generation 5 was not published .*; the current generation is 4/);
    expect(shown.listeners.size).toBe(0);
  });

  test('removes the limit if allowed', async () => {
    const url = await harness.startOther({ bypassLimits: true });
    const answer = await fetch(`${url}/open`, { headers: { prefer: 'wait=-1' } });
    expect(answer.headers.get('preference-applied')).toBe('wait=-1; bypass=enabled');
  });

  test('cancels the work when the time limit expires', async () => {
    await harness.expectFailure(
      '/slow',
      { headers: { prefer: 'wait=1' } },
      { status: 500, message: 'request timed out' },
    );
    expect(harness.seen.aborted).toBe(1);
  });

  test('answers in time even if the work does not react', async () => {
    await harness.expectFailure(
      '/stubborn',
      { headers: { prefer: 'wait=1' } },
      { status: 500, message: 'request timed out' },
    );
  });

  test('the work is canceled when the client disconnects', async () => {
    const socket = await openSocket(harness.url);
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    setTimeout(() => socket.destroy(), 100);
    await harness.seen.stuck.promise;
    expect(harness.seen.aborted).toBe(1);
  });
});
