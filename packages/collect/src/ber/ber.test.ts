import { expect, it } from 'vitest';
import { BerError, BerReader, fieldOf } from './reader.ts';
import { berBoolean, berContext, berInteger, berOctets, berOid, berSequence, berValue } from './writer.ts';

it('reads its own output, in the shortest form', () => {
  for (const value of [0, 1, 127, 128, 255, 256, 65_535, 2 ** 31 - 1, 2 ** 32, 2 ** 47 - 1, -1, -(2 ** 31)])
    expect(new BerReader(berInteger(value)).integer()).toBe(value);
  expect(berInteger(128)).toEqual(Buffer.from([2, 2, 0, 128]));
  for (const length of [0, 127, 128, 255, 256, 70_000]) {
    const bytes = Buffer.alloc(length, 7);
    expect(new BerReader(berOctets(bytes)).octets()).toEqual(bytes);
  }
  expect(berOctets(Buffer.alloc(200)).subarray(0, 3)).toEqual(Buffer.from([4, 0x81, 200]));
  expect(berOid('1.2.840.113554.1.2.2')).toEqual(Buffer.from('06092a864886f712010202', 'hex'));
  expect(berBoolean(true)).toEqual(Buffer.from([1, 1, 0xff]));
});

it('steps through the values of a structure, in order and by number', () => {
  const reader = new BerReader(berSequence(berInteger(5), berOctets('ä'))).enter(0x30);
  expect([reader.integer(), reader.text(), reader.hasMore, reader.peek()]).toEqual([5, 'ä', false, -1]);
  const fields = new BerReader(berSequence(berContext(3, berInteger(9)), berContext(1, berInteger(8))))
    .enter()
    .fields();
  expect(fieldOf(fields, 3).integer()).toBe(9);
  expect(() => fieldOf(fields, 2)).toThrow(BerError);
});

it.each([
  ['nothing', Buffer.alloc(0)],
  ['a tag alone', Buffer.from([0x30])],
  ['a value that is cut off', Buffer.from([0x30, 5, 1, 1])],
  ['an indefinite length', Buffer.from([0x30, 0x80, 0, 0])],
  ['a length of five bytes', Buffer.from([0x30, 0x85, 0, 0, 0, 0, 1, 1])],
  ['a length that is cut off', Buffer.from([0x30, 0x84, 0xff])],
  ['a length of four gigabytes', Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 0])],
])('refuses %s', (_, bytes) => {
  expect(() => new BerReader(bytes).enter()).toThrow(BerError);
});

it('refuses a value that is longer than its parent, even if there are enough bytes', () => {
  const bytes = Buffer.concat([Buffer.from([0x30, 3, 4, 9, 1]), Buffer.alloc(20)]);
  expect(() => new BerReader(bytes).enter().enter()).toThrow('longer than the value around it');
});

it('refuses empty or too long numbers, and other tags', () => {
  expect(() => new BerReader(berValue(2)).integer()).toThrow(BerError);
  expect(() => new BerReader(berValue(2, Buffer.alloc(7, 1))).integer()).toThrow(BerError);
  expect(() => new BerReader(berOctets('x')).integer()).toThrow('tag 4 instead of 2');
});
