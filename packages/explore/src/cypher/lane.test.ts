/** Tests queries of several owners in the threads of one lane: owners with little use do not wait for those with most. */
import type { RequestClock } from '@clew/common';
import type { Generation } from '@clew/generation';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { CypherAnswer, CypherRequest } from './cypherMessages.ts';
import { FIRST_SHARE_MS, Lane, type LaneThread, MAX_SHARE_MS } from './lane.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const generation = {} as Generation;
const NEVER = 1e9;

/** Answers after the milliseconds in the query, unless it is ended before. */
class Thread implements LaneThread {
  readonly isRunning = true;

  async ask(_generation: Generation, _task: string, input: unknown, signal: AbortSignal): Promise<unknown> {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, Number((input as CypherRequest).query));
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    });
    return { warnings: [] } as unknown as CypherAnswer;
  }
}

/** Milliseconds during which a request's clock ran. */
class Clock implements RequestClock {
  ms = 0;
  #since: number | undefined = Date.now();

  pause(): void {
    if (this.#since !== undefined) this.ms += Date.now() - this.#since;
    this.#since = undefined;
  }

  resume(): void {
    this.#since ??= Date.now();
  }

  giveBack(milliseconds: number): void {
    this.ms -= milliseconds;
  }

  expireWith(): void {}
}

const laneOf = (count: number, takesThreads = true): Lane =>
  new Lane({ threads: Array.from({ length: count }, () => new Thread()), maxOfOne: 2, takesThreads });

interface Asked {
  readonly answer: Promise<CypherAnswer>;
  readonly clock: Clock;
  readonly end: AbortController;
  /** Time of the answer. */
  at?: number;
  error?: unknown;
}

function ask(lane: Lane, owner: string, ms: number): Asked {
  const [clock, end] = [new Clock(), new AbortController()];
  const request = (): CypherRequest => ({ query: String(ms), parameters: {}, explain: false });
  const answer = lane.run(generation, request, { owner, signal: end.signal, clock });
  const asked: Asked = { answer, clock, end };
  answer.then(
    () => {
      asked.at = Date.now();
      clock.pause();
    },
    (error: unknown) => {
      asked.error = error;
    },
  );
  return asked;
}

it('takes a thread from an owner with more use, and restarts its query', async () => {
  const lane = laneOf(3);
  const began = Date.now();
  const endless = ['a', 'b', 'c'].map((owner) => ask(lane, owner, NEVER));
  await vi.advanceTimersByTimeAsync(5_000);
  const quick = ask(lane, 'quiet', 1_000);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(quick.at).toBe(began + 6_000);
  expect(quick.clock.ms).toBe(1_000);
  expect((await quick.answer).warnings).toEqual([]);
  for (const { end } of endless) end.abort();
});

it('lets a query finish, however often its thread is taken, and does not count lost time', async () => {
  const lane = laneOf(1);
  const long = ask(lane, 'long', 3 * FIRST_SHARE_MS);
  let quick = 0;
  const others = (async () => {
    while (long.at === undefined && quick < 1000) {
      await ask(lane, `other ${quick++}`, 500).answer;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(long.at).toBeDefined();
  expect(long.clock.ms).toBe(3 * FIRST_SHARE_MS);
  expect((await long.answer).warnings).toEqual([
    expect.stringMatching(/^the query waited \d+ s for others, and started again (once|\d times)$/),
  ]);
  // It kept its thread for 2 s, then for 4 s, and then as long as needed.
  expect(quick).toBe(3);
  await vi.advanceTimersByTimeAsync(1_000);
  await others;
});

it('leaves threads to owners with as little use', async () => {
  const lane = laneOf(1);
  const first = ask(lane, 'a', 1_500);
  const second = ask(lane, 'b', 1_500);
  await vi.advanceTimersByTimeAsync(4_000);
  expect([first.at, second.at].map((at) => at !== undefined)).toEqual([true, true]);
  expect((await first.answer).warnings).toEqual([]);
});

it('takes no thread in a lane with short queries', async () => {
  const lane = laneOf(1, false);
  const endless = ask(lane, 'a', NEVER);
  const quick = ask(lane, 'b', 100);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(quick.at).toBeUndefined();
  endless.end.abort();
  await vi.advanceTimersByTimeAsync(200);
  expect(quick.at).toBeDefined();
  expect(quick.clock.ms).toBe(100);
});

it('refuses a query that has waited for two minutes', async () => {
  const lane = laneOf(1, false);
  const endless = ask(lane, 'a', NEVER);
  const late = ask(lane, 'b', 100);
  await vi.advanceTimersByTimeAsync(121_000);
  expect(late.error).toMatchObject({ status: 429 });
  endless.end.abort();
});

it('does not refuse a query that waited briefly but whose interrupted runs took more than two minutes', async () => {
  const lane = laneOf(1);
  const long = ask(lane, 'long', 50 * FIRST_SHARE_MS);
  let quick = 0;
  const others = (async () => {
    while (long.at === undefined && long.error === undefined && quick < 1000) {
      await ask(lane, `other ${quick++}`, 500).answer;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  await vi.advanceTimersByTimeAsync(300_000);
  // Shares of 2, 4, 8, 16, 32 and 64 s were taken: 126 s, and it waited half a second after each.
  expect(long.error).toBeUndefined();
  expect((await long.answer).warnings).toEqual([
    expect.stringMatching(/^the query waited 12\d s for others, and started again 6 times$/),
  ]);
  expect(long.clock.ms).toBe(50 * FIRST_SHARE_MS);
  await others;
});

it('lets a short query wait for one limited share, however often others were restarted', async () => {
  const lane = laneOf(3);
  const endless = ['a', 'b', 'c'].map((owner) => ask(lane, owner, NEVER));
  const waits: number[] = [];
  for (let at = 0; at < 200; at++) {
    const began = Date.now();
    const quick = ask(lane, `quiet ${at}`, 1_000);
    while (quick.at === undefined && quick.error === undefined) await vi.advanceTimersByTimeAsync(100);
    waits.push((quick.at ?? Number.POSITIVE_INFINITY) - began);
    await vi.advanceTimersByTimeAsync(500);
  }
  // Without the limit, shares total 128 s, and the query is refused.
  expect(Math.max(...waits)).toBeLessThan(MAX_SHARE_MS + 2_000);
  for (const { end } of endless) end.abort();
});

it('lets long queries finish next to a stream of short ones', async () => {
  const lane = laneOf(3);
  const long = ['a', 'b', 'c', 'd'].map((owner) => ask(lane, owner, 60_000));
  let isOver = false;
  const others = (async () => {
    for (let at = 0; !isOver; at++) {
      await ask(lane, `quiet ${at % 7}`, 1_000).answer;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  })();
  await vi.advanceTimersByTimeAsync(1_200_000);
  expect(long.map(({ error, clock }) => [error, clock.ms])).toEqual(long.map(() => [undefined, 60_000]));
  isOver = true;
  await vi.advanceTimersByTimeAsync(10_000);
  await others;
});

it('ends a waiting query when its signal aborts', async () => {
  const lane = laneOf(1, false);
  const endless = ask(lane, 'a', NEVER);
  const late = ask(lane, 'b', 100);
  late.end.abort(new Error('gone'));
  await vi.advanceTimersByTimeAsync(1);
  expect(late.error).toMatchObject({ message: 'gone' });
  endless.end.abort();
});
