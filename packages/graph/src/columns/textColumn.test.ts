import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareTexts,
  compareTextTo,
  decodeText,
  encodeText,
  lowerBound,
  type TextColumn,
  TextColumnBuilder,
  textBytes,
  textCount,
  textEndsWith,
  textStartsWith,
} from './textColumn.ts';

const texts = fc.array(
  fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' })),
  {
    maxLength: 30,
    size: 'max',
  },
);

function columnOf(list: readonly string[]): TextColumn {
  const builder = new TextColumnBuilder();
  for (const text of list) builder.append(text);
  return builder.build();
}

function byteOrder(a: string, b: string): number {
  return Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

describe('TextColumn', () => {
  it('returns each text as UTF-8 represents it', () => {
    fc.assert(
      fc.property(texts, (list) => {
        const column = columnOf(list);
        expect(textCount(column)).toBe(list.length);
        list.forEach((text, at) => {
          expect(decodeText(column, at)).toBe(text.toWellFormed());
        });
      }),
    );
  });

  it('takes bytes as well as texts', () => {
    fc.assert(
      fc.property(texts, (list) => {
        const builder = new TextColumnBuilder();
        for (const text of list) builder.appendBytes(encodeText(text));
        expect(builder.build()).toEqual(columnOf(list));
      }),
    );
  });

  it('keeps long texts and a leading byte order mark', () => {
    const long = `\u{feff}${'ü'.repeat(200_000)}`;
    const column = columnOf(['a', long, 'b']);
    expect(decodeText(column, 1)).toBe(long);
    expect(decodeText(column, 2)).toBe('b');
  });

  it('compares by bytes', () => {
    fc.assert(
      fc.property(texts, fc.string(), (list, other) => {
        const column = columnOf(list);
        list.forEach((text, at) => {
          expect(Math.sign(compareTextTo(column, at, encodeText(other)))).toBe(byteOrder(text, other));
          expect(Math.sign(compareTexts(column, at, column, 0))).toBe(byteOrder(text, list[0]));
        });
      }),
    );
  });

  it('tests beginnings and ends', () => {
    fc.assert(
      fc.property(texts, fc.string({ maxLength: 2 }), fc.nat(5), (list, other, cut) => {
        const column = columnOf(list);
        list.forEach((text, at) => {
          const whole = text.toWellFormed();
          for (const part of [
            other,
            ...[whole.slice(0, cut), whole.slice(cut)].filter((p) => p.isWellFormed()),
          ]) {
            expect(textStartsWith(column, at, encodeText(part))).toBe(whole.startsWith(part));
            expect(textEndsWith(column, at, encodeText(part))).toBe(whole.endsWith(part));
          }
        });
      }),
    );
  });

  it('finds the first text that is not less', () => {
    fc.assert(
      fc.property(texts, fc.string({ maxLength: 3 }), (list, wanted) => {
        const sorted = [...list].sort(byteOrder);
        const expected = sorted.filter((text) => byteOrder(text, wanted) < 0).length;
        expect(lowerBound(columnOf(sorted), encodeText(wanted))).toBe(expected);
      }),
    );
  });

  it('is in shared memory, trimmed to size', () => {
    const column = columnOf(['ab', '', 'c']);
    expect(column.bytes.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(column.bytes.buffer.byteLength).toBe(3);
    expect([...column.offsets]).toEqual([0, 2, 2, 3]);
    expect([...textBytes(column, 0)]).toEqual([97, 98]);
  });
});
