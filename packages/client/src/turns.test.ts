import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('gives one turn at a time, in order, and none to a canceled waiter', async () => {
  const turns = new Turns();
  const order: string[] = [];
  const endFirst = await turns.take(undefined);
  const abort = new AbortController();
  const gone = turns.take(abort.signal).catch((error: Error) => order.push(error.message));
  const second = turns.take(undefined).then((end) => {
    order.push('second');
    return end;
  });
  const third = turns.take(new AbortController().signal).then(() => order.push('third'));
  abort.abort(new Error('gone'));
  await gone;
  expect(order).toEqual(['gone']);
  endFirst();
  const endSecond = await second;
  expect(order).toEqual(['gone', 'second']);
  endSecond();
  await third;
  expect(order).toEqual(['gone', 'second', 'third']);
});
