import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endOfWellFormed } from './wellFormed.ts';
import { WellFormedStream } from './wellFormedStream.ts';

const DEPTH = 64;

/** Writes the bytes in pieces of this size. @returns index after the value, or -1 */
function endOf(bytes: Buffer, pieceBytes: number): number {
  const stream = new WellFormedStream(new Uint8Array(DEPTH));
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const end = stream.write(bytes.subarray(0, at + pieceBytes), at);
    if (stream.isMalformed) return -1;
    if (stream.isComplete) return end;
  }
  return -1;
}

const jsonText = fc
  .tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t'))
  .map(([value, space]) => JSON.stringify({ value, list: [value, -1.5e-7, true, 'é"\\\n'] }, null, space));
const MATTERS = Buffer.from('{}[]:,"\\u0019abeftrnlsE+-. \n\t\x00\x1f\x7f\xc3\xa9\xff', 'latin1');
const damage = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...MATTERS)), { maxLength: 3 });

describe('WellFormedStream', () => {
  it('judges like the function for complete texts, wherever the pieces are cut', () => {
    const nesting = new Uint8Array(DEPTH);
    fc.assert(
      fc.property(jsonText, damage, fc.integer({ min: 1, max: 40 }), (text, changes, pieceBytes) => {
        const bytes = Buffer.from(text);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        if (bytes[0] !== 0x7b) return;
        expect(endOf(bytes, pieceBytes)).toBe(endOfWellFormed(bytes, 0, nesting));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    '01',
    '-',
    '1.',
    '1e',
    '1e+',
    '+1',
    'tru]',
    'nulL',
    '"\\x"',
    '"\\u12g4"',
    '"\t"',
    '[1,]',
    '{,}',
    '{"a"}',
  ])('refuses %s', (text) => expect(endOf(Buffer.from(`[${text}]`), 1)).toBe(-1));

  it.each(['1', '-0.5e+10', 'null', '"a"'])('ends %s before the next byte', (text) => {
    expect(endOf(Buffer.from(`${text},`), 2)).toBe(text.length);
  });

  it('finds the end of a value that is nested deeper than the limit', () => {
    const deep = `{"a":${'['.repeat(1000)}"]"${']'.repeat(1000)}}`;
    expect(endOf(Buffer.from(`${deep},{}`), 7)).toBe(deep.length);
  });
});
