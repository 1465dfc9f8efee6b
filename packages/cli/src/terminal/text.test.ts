import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutTo, formatBytes, formatCount, formatDuration, padTo, printable, widthOf } from './text.ts';

describe('printable', () => {
  it.each([
    ['an escape sequence', '\u001b[2Jgone', '\u{fffd}[2Jgone'],
    ['a C1 control', '\u009b31m', '\u{fffd}31m'],
    ['a line break', 'a\r\nb', 'a\u{fffd}\u{fffd}b'],
    ['a bidirectional override', 'a\u202etxt.exe', 'a\u{fffd}txt.exe'],
    ['a bidirectional isolate', 'a\u2066b', 'a\u{fffd}b'],
    ['a zero-width space', 'ad\u200bmin', 'ad\u{fffd}min'],
    ['a tag character', `a${String.fromCodePoint(0xe0041)}`, 'a\u{fffd}'],
    ['a lone surrogate', 'a\ud800b', 'a\u{fffd}b'],
    ['a byte order mark', '\ufeffa', '\u{fffd}a'],
    ['nothing odd', "O'HARA-ÅSTRÖM 管理 😀", "O'HARA-ÅSTRÖM 管理 😀"],
  ])('shows %s in a safe form', (_, text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('leaves no control character of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(printable(text)).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
        expect(printable(printable(text))).toBe(printable(text));
      }),
    );
  });
});

describe('widths', () => {
  it.each([
    ['abc', 3],
    ['管理', 4],
    ['e\u0301', 1],
    ['\u001b[31mred\u001b[39m', 3],
    ['', 0],
  ])('%j takes %i columns', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  it('cutting never exceeds the width, padding always reaches it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(30), (raw, width) => {
        const text = printable(raw);
        expect(widthOf(cutTo(text, width))).toBeLessThanOrEqual(Math.max(width, 0));
        expect(widthOf(padTo(cutTo(text, width), width))).toBe(width);
        if (widthOf(text) <= width) expect(cutTo(text, width)).toBe(text);
      }),
    );
  });
});

describe('figures', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [99_949, '99.9 kB'],
    [99_950, '100 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [3_518_594, '3.5 MB'],
    [5e15, '5000 TB'],
  ])('%i bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it.each([
    [0, '0'],
    [999, '999'],
    [12_673, '12,673'],
    [1_000_000, '1,000,000'],
    [10n ** 20n, '100,000,000,000,000,000,000'],
  ])('%s is written %s', (count, text) => expect(formatCount(count)).toBe(text));

  it.each([
    [40, '0.0 s'],
    [9_940, '9.9 s'],
    [9_960, '10 s'],
    [59_400, '59 s'],
    [59_600, '1 min 00 s'],
    [185_000, '3 min 05 s'],
  ])('%i ms are %s', (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text));
});
