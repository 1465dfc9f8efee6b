import { setTimeout as sleep } from 'node:timers/promises';
import { silentLog } from '@clew/store/testing';
import { describe, expect, it, vi } from 'vitest';
import { TaskLoop } from './taskLoop.ts';

function loopOf(run: (signal: AbortSignal) => Promise<void>, delayMs = 0): TaskLoop {
  return new TaskLoop({ name: 'test', delayMs, run }, silentLog);
}

const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 100_000, interval: 2 });

describe('a task loop', () => {
  it('runs once for simultaneous wake-ups', async () => {
    let runs = 0;
    const loop = loopOf(async () => void runs++, 20);
    for (let times = 0; times < 10; times++) loop.wake();
    await until(() => runs > 0 && loop.isIdle);
    expect(runs).toBe(1);
    await loop.stop();
  });

  it('runs again for a wake-up that arrives while it is running', async () => {
    let runs = 0;
    const first = Promise.withResolvers<void>();
    const loop = loopOf(async () => {
      if (++runs === 1) await first.promise;
    });
    loop.wake();
    await until(() => runs === 1);
    loop.wake();
    loop.wake();
    first.resolve();
    await until(() => runs >= 2 && loop.isIdle);
    expect(runs).toBe(2);
    await loop.stop();
  });

  it('never runs twice at the same time', async () => {
    let running = 0;
    let most = 0;
    let runs = 0;
    const loop = loopOf(async () => {
      most = Math.max(most, ++running);
      await sleep(2);
      running--;
      runs++;
    });
    for (let times = 0; times < 20; times++) {
      loop.wake();
      await sleep(1);
    }
    await until(() => runs > 1 && running === 0);
    expect(most).toBe(1);
    await loop.stop();
  });

  it.each([
    ['the connection', Object.assign(new Error('lost'), { code: 'ECONNRESET' })],
    ['the work', new Error('a fault')],
  ])('retries after an error of %s', async (_, error) => {
    let runs = 0;
    const loop = loopOf(async () => {
      if (++runs < 3) throw error;
    });
    loop.wake();
    await until(() => runs >= 3 && loop.isIdle);
    expect(runs).toBe(3);
    await loop.stop();
  });

  it('reports repeated failures, and recovery', async () => {
    let runs = 0;
    const said: (string | undefined)[] = [];
    const run = async () => {
      if (++runs < 5) throw new Error('invalid value of Bob');
    };
    const loop = new TaskLoop(
      { name: 'test', delayMs: 0, run, onObstacle: (obstacle) => said.push(obstacle) },
      silentLog,
    );
    loop.wake();
    await until(() => loop.isIdle);
    const fourth = 'the last 4 attempts failed; see the log for the reason';
    expect(said).toEqual([undefined, undefined, undefined, fourth, undefined]);
    await loop.stop();
  });

  it('asks the task to stop, waits for it, and does not run again', async () => {
    let stopped = false;
    let runs = 0;
    const loop = loopOf(async (signal) => {
      runs++;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await sleep(10);
      stopped = true;
    });
    loop.wake();
    await until(() => runs === 1);
    await loop.stop();
    expect(stopped).toBe(true);
    loop.wake();
    await until(() => loop.isIdle);
    expect(runs).toBe(1);
  });
});
