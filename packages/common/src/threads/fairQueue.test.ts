import { expect, it } from 'vitest';
import { FairQueue } from './fairQueue.ts';

const all = (): boolean => true;

it('serves each owner in turn, whatever the others request', () => {
  const queue = new FairQueue<string>();
  for (let at = 1; at <= 30; at++) queue.push('loud', `loud ${at}`);
  queue.push('quiet', 'quiet 1');
  queue.push('third', 'third 1');
  queue.push('quiet', 'quiet 2');
  const served = Array.from({ length: 7 }, () => queue.take(all));
  expect(served).toEqual(['loud 1', 'quiet 1', 'third 1', 'loud 2', 'quiet 2', 'loud 3', 'loud 4']);
  expect([queue.size, queue.sizeOf('loud'), queue.sizeOf('quiet')]).toEqual([26, 26, 0]);
});

it('skips owners that have their share', () => {
  const queue = new FairQueue<number>();
  queue.push('a', 1);
  queue.push('b', 2);
  expect(queue.take((owner) => owner !== 'a')).toBe(2);
  expect(queue.take((owner) => owner !== 'a')).toBeUndefined();
  expect(queue.take(all)).toBe(1);
  expect(queue.take(all)).toBeUndefined();
});

it('removes items for which no one waits', () => {
  const queue = new FairQueue<object>();
  const [first, second] = [{}, {}];
  queue.push('a', first);
  queue.push('a', second);
  expect([queue.remove('a', first), queue.remove('a', first), queue.remove('b', second)]).toEqual([
    true,
    false,
    false,
  ]);
  expect(queue.take(all)).toBe(second);
  expect(queue.size).toBe(0);
});
