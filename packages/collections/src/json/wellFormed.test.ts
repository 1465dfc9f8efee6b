import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseValue } from './value.ts';
import { endOfWellFormed } from './wellFormed.ts';

const nesting = new Uint8Array(64);
const endOf = (text: string | Buffer, start = 0): number =>
  endOfWellFormed(Buffer.from(text as string), start, nesting);

/** Objects and arrays as written by `JSON.stringify`, with and without white space. */
const jsonText = fc
  .tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t'))
  .map(([value, space]) => JSON.stringify({ value, list: [value, value] }, null, space));

/** Bytes with and without a meaning in the grammar. */
const MATTERS = Buffer.from('{}[]:,"\\u0019abeftrnlsE+-. \n\t\x00\x1f\x7f\xc3\xa9\xff', 'latin1');

describe('endOfWellFormed', () => {
  it('finds the end of every value written by JSON.stringify', () => {
    fc.assert(
      fc.property(jsonText, fc.string(), (text, after) => {
        const bytes = Buffer.from(text);
        expect(endOf(Buffer.concat([Buffer.from('[1,'), bytes, Buffer.from(after)]), 3)).toBe(
          3 + bytes.length,
        );
      }),
    );
  });

  it('accepts only objects and arrays, from their opening bracket', () => {
    for (const text of ['', ' {}', '"value",{}', ' "value",{},"list":[{},{}]}', '1', 'true', '}', ']'])
      expect(endOf(text)).toBe(-1);
  });

  it('never accepts an incomplete value', () => {
    fc.assert(
      fc.property(jsonText, fc.nat(), (text, cut) => {
        const bytes = Buffer.from(text);
        expect(endOf(bytes.subarray(0, cut % bytes.length))).toBe(-1);
      }),
    );
  });

  it('judges damaged text like JSON.parse', () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...MATTERS)), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(jsonText, damage, (text, changes) => {
        const bytes = Buffer.from(text);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        const end = endOf(bytes);
        // Damage may end the value early; the rest is not checked.
        if (end >= 0) expect(parseValue(bytes.subarray(0, end))).toHaveProperty('value');
        else expect(bytes[0] === 0x7b ? parseValue(bytes) : {}).not.toHaveProperty('value');
      }),
      { numRuns: 3000 },
    );
  });

  const WORDS = [
    '0',
    '-0',
    '10',
    '01',
    '-',
    '--1',
    '+1',
    '1.',
    '.1',
    '1.5',
    '1e',
    '1e5',
    '1E+5',
    '1e-',
    '1.5e05',
    '-1.5E-5',
  ]
    .concat([
      'true',
      'tru',
      'truex',
      'false',
      'null',
      'nul',
      'nan',
      'NaN',
      'Infinity',
      'undefined',
      "'a'",
      '',
    ])
    .concat([
      '"\\n"',
      '"\\x"',
      '"\\u00e9"',
      '"\\u00g9"',
      '"\\u00"',
      '"\n"',
      '"\x7f"',
      '"a',
      '1 2',
      '"a""b"',
      '1:2',
    ]);

  it.each(WORDS)('judges %j in a list and in an object like JSON.parse', (word) => {
    for (const text of [`[${word}]`, `[1,${word}]`, `{"a":${word}}`, `[ ${word}\n]`, `{"a":1,${word}:2}`]) {
      expect(endOf(text), text).toBe('value' in parseValue(Buffer.from(text)) ? text.length : -1);
    }
  });

  it.each([
    '{]',
    '[}',
    '{"a":[}]',
    '[1,]',
    '[,1]',
    '{,}',
    '{"a":1,}',
    '{"a"}',
    '{"a":}',
    '{"a" 1}',
    '{1:2}',
    '[1 2]',
  ])('refuses %j', (text) => expect(endOf(text)).toBe(-1));

  it('refuses invalid UTF-8', () => {
    for (const sequence of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
      expect(endOf(Buffer.from([0x5b, 0x22, ...sequence, 0x22, 0x5d]))).toBe(-1);
    }
  });

  it('accepts values up to the maximum depth', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(endOf(nested(nesting.length))).toBe(2 * nesting.length);
    expect(endOf(nested(nesting.length + 1))).toBe(-1);
  });
});
