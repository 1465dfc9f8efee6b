/** Tests files that are designed to be slow: the time of reading grows linearly with the number of bytes. */
import { growthByEight, LINEAR_BY_EIGHT, timed, workedMs } from '@clew/synthetic/testing';
import { describe, expect, it } from 'vitest';
import { textSource } from '../test/index.ts';
import { hasTooManyValues } from './json/valueCount.ts';
import { readCollection } from './readCollection.ts';
import { UploadValidator } from './uploadValidator.ts';

const META = '"meta":{"type":"users","version":6,"methods":0,"count":1}';
const many = (text: string, bytes: number): string => text.repeat(Math.ceil(bytes / text.length));
const inData = (elements: string): string => `{"data":[${elements}],${META}}`;
const inGraph = (nodes: string): string => `{"graph":{"nodes":[${nodes}],"edges":[]}}`;

/** Each returns a file of approximately this many bytes. */
const SHAPES: Readonly<Record<string, (bytes: number) => string>> = {
  'a mark that never comes again': (bytes) => inData(`{"a":1},{"a":1}${many(',{}', bytes)}`),
  'a mark that is only in the last object': (bytes) =>
    inData(`{"a":1},{"a":1}${many(',{}', bytes)},{"x":1},{"a":1}`),
  'a mark inside of every other object': (bytes) =>
    inData(`{"a":1},{"a":1}${many(',{"b":[{"c":{}},{"a":1}]}', bytes)}`),
  'tiny objects': (bytes) => inData(`{"a":1}${many(',{"a":1}', bytes)}`),
  'empty objects': (bytes) => inData(`{}${many(',{}', bytes)}`),
  'values that are not objects': (bytes) => inData(`1${many(',1', bytes)}`),
  'a string that never ends': (bytes) => inData(`{"a":"${many('x', bytes)}`),
  escapes: (bytes) => inData(`{"a":"${many('\\\\', bytes)}"}`),
  'brackets that never close': (bytes) => inData(many('[', bytes)),
  'deep objects that never close': (bytes) => inData(many('{"a":', bytes)),
  'members of one object': (bytes) => inData(`{"a":1${many(',"abcd":1', bytes)}}`),
  'members outside of the data': (bytes) => `{"data":[],"x":{"a":1${many(',"abcd":1', bytes)}},${META}}`,
  'a tail of members that look like meta': (bytes) =>
    `{"data":[{}${many(',{}', bytes)}],${many('"metaa":[],', 65_000)}"z":1`,
  'a tail of members called meta, and no end': (bytes) =>
    `{"data":[{}${many(',{}', bytes)}],${many('"meta":[],', 65_000)}`,
  'a graph whose order of keys changes': (bytes) =>
    inGraph(`{"id":"a","kinds":["X"]},{"id":"b","kinds":["X"]}${many(',{"kinds":["X"],"id":"c"}', bytes)}`),
  'a graph of faulty nodes': (bytes) => inGraph(`{}${many(',{}', bytes)}`),
  'a graph of nodes that are cut off': (bytes) => inGraph(many('{"id":"a","kinds":["X"', bytes)),
};

async function read(text: string): Promise<void> {
  for await (const _ of readCollection(textSource(text)));
}

/** @returns the milliseconds of the slowest piece */
function longestPiece(text: string): number {
  const bytes = Buffer.from(text);
  const validator = new UploadValidator();
  let longest = 0;
  for (let at = 0; at < bytes.length; at += 65_536) {
    const startedAt = workedMs();
    validator.write(bytes.subarray(at, at + 65_536));
    longest = Math.max(longest, workedMs() - startedAt);
  }
  validator.finish();
  return longest;
}

const SMALL = 128 * 1024;
/** Allows for noise in the slowest piece; scanning the whole file again would take eight times as long. */
const MAX_GROWTH_OF_PIECE = 6;

const RUNS = Number(process.env.CLEW_TEST_RUNS ?? 1);
const SEED = Number(process.env.CLEW_TEST_SEED ?? 20_261_126);
/** A third of the shapes; at night, all. @param shift others for another test */
const sampledShapes = (shift: number) =>
  Object.entries(SHAPES).filter((_, at) => RUNS > 1 || (at + shift) % 3 === SEED % 3);

describe('hostile files', () => {
  it.each(sampledShapes(0))('%s: time grows with the size only', async (_, make) => {
    const growth = await growthByEight((size) => timed(() => read(make(size))), SMALL);
    expect(growth).toBeLessThan(LINEAR_BY_EIGHT);
  });

  it.each(sampledShapes(1))('%s: no piece of an upload blocks other work', async (_, make) => {
    const growth = await growthByEight(async (size) => longestPiece(make(size)), SMALL, MAX_GROWTH_OF_PIECE);
    expect(growth).toBeLessThan(MAX_GROWTH_OF_PIECE);
  });
});

describe('an object with very many members', () => {
  const object = `{"ObjectIdentifier":"S-1-5-21-1-1104"${many(',"abcd":1', 4_000_000)}}`;

  it('is rejected before it is built', async () => {
    const reading = readCollection(textSource(inData(`${object},{"ObjectIdentifier":"S-1-5-21-1-1105"}`)));
    for await (const _ of reading);
    expect(reading.report.objects).toMatchObject({ rejected: 1 });
    expect(reading.report.issues[0]).toMatchObject({
      index: 0,
      reason: expect.stringMatching(/50000 members/),
    });
  });

  it.each([
    ['members of one object', `{${many('"a":1,', 600)}"z":1}`, true],
    ['values in all', `[${many('1,', 2000)}1]`, true],
    ['members of many objects', `[${many('{"a":1},', 1000)}1]`, false],
    ['colons and commas in texts', JSON.stringify([':,\\"'.repeat(1000)]), false],
  ])('is judged by its bytes: %s', (_, text, expected) => {
    const limits = { maxMembers: 50, maxValues: 500, maxDepth: 10 };
    expect(hasTooManyValues(Buffer.from(text), limits)).toBe(expected);
  });
});
