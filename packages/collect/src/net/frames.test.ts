import { expect, it } from 'vitest';
import { Frames, lengthInFront } from './frames.ts';

const message = (text: string): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, Buffer.from(text)]);
};

it.each([1, 2, 3, 5, 7, 100])('splits a stream in pieces of %i bytes into its messages', (size) => {
  const frames = new Frames(lengthInFront(100, 'a message'));
  const bytes = Buffer.concat(['', 'one', 'a longer message', 'x'].map(message));
  const found: string[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    frames.push(bytes.subarray(at, at + size));
    for (let next = frames.take(); next !== undefined; next = frames.take())
      found.push(next.subarray(4).toString());
  }
  expect(found).toEqual(['', 'one', 'a longer message', 'x']);
  expect(frames.size).toBe(0);
});

it('concatenates a long message in small pieces once', () => {
  const frames = new Frames(lengthInFront(2 ** 22, 'a message'));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(2 ** 22);
  frames.push(head);
  const began = performance.now();
  for (let at = 0; at < 2 ** 22; at += 64) {
    if (frames.take() !== undefined) throw new Error('taken too early');
    frames.push(Buffer.alloc(64));
  }
  expect(frames.take()?.length).toBe(2 ** 22 + 4);
  // Concatenating at each piece would copy 137 GB and take minutes.
  expect(performance.now() - began).toBeLessThan(20_000);
});

it('refuses a message that is too long before it arrives', () => {
  const frames = new Frames(lengthInFront(10, 'a message'));
  frames.push(Buffer.from([0, 0, 0, 11]));
  expect(() => frames.take()).toThrow('a message has 11 bytes; the limit is 10');
});
