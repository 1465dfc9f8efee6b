import { expect, test } from 'vitest';
import { inBoundedThread } from './boundedThread.ts';

const thread = {
  script: new URL('../../../test/openGraph/extensions/countingThread.ts', import.meta.url),
  name: 'counting',
  bounds: { textMs: 1_000, allMs: 10_000 },
};
/** Each answer is the number of works that its thread was given. */
const work = (...texts: string[]) => inBoundedThread<string, number>(thread, texts);
const is = (result: number) => ({ result });

test('an idle thread is reused, and another one is started if it is busy', async () => {
  expect(await work('a', 'b')).toEqual([is(1), is(1)]);
  expect(await work('a')).toEqual([is(2)]);
  const [one, other] = await Promise.all([work('a'), work('b')]);
  expect([...one, ...other]).toEqual([is(3), is(1)]);
});

test('a thread that is stopped at a text does no other work', async () => {
  expect(await work('a', 'stop', 'b')).toEqual([expect.anything(), { none: 'too long' }, is(1)]);
});
