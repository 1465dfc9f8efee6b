import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { StreamSlots } from './jsonStream.ts';

const answer = () => ({ stream: Readable.from(['x']) });

it('reserves the last slot for other owners, and frees those of ended answers', async () => {
  const slots = new StreamSlots(4);
  const first = await slots.open('ann', answer);
  await slots.open('ann', answer);
  await slots.open('ann', answer);
  await expect(slots.open('ann', answer)).rejects.toMatchObject({
    ...{ status: 503, message: expect.stringContaining('this user') },
  });
  await slots.open('bob', answer);
  await expect(slots.open('cyd', answer)).rejects.toMatchObject({
    ...{ status: 503, message: expect.stringContaining(': too many exports are in progress') },
  });
  first.stream.destroy();
  await new Promise((resolve) => first.stream.once('close', resolve));
  await slots.open('cyd', answer);
  await expect(slots.open('dan', answer)).rejects.toMatchObject({ status: 503 });
});

it('frees the slot of an answer that could not be opened', async () => {
  const slots = new StreamSlots(2);
  for (let times = 0; times < 3; times++)
    await expect(slots.open('ann', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
});
