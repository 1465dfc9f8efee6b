import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChunkReader, chunked } from './chunks.ts';
import { PackError, unpack } from './packReader.ts';
import { PackWriter } from './packWriter.ts';
import { PackFloat, type PackValue, Structure } from './structure.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

function pack(value: PackValue): Buffer {
  const writer = new PackWriter();
  writer.value(value);
  return Buffer.from(writer.written);
}

const number = fc.oneof(
  fc.integer({ min: -200, max: 200 }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noDefaultInfinity: true, noNaN: true }).filter((value) => !Number.isSafeInteger(value)),
  fc
    .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    .filter((value) => !Number.isSafeInteger(Number(value))),
);
const { value: anyValue } = fc.letrec<{ value: PackValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    number,
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.uint8Array({ maxLength: 400 }),
    fc.double({ noNaN: true }).map((value) => new PackFloat(value)),
    fc.array(tie('value'), { maxLength: 40 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor')), tie('value')),
    fc
      .tuple(fc.nat(127), fc.array(tie('value'), { maxLength: 15 }))
      .map(([tag, fields]) => new Structure(tag, fields)),
  ),
}));

/** Converts values to plain objects, so that floats and bytes can be compared. */
function plain(value: PackValue): unknown {
  if (value instanceof PackFloat) return { float: value.value };
  if (value instanceof Uint8Array) return { bytes: [...value] };
  if (value instanceof Structure) return { tag: value.tag, fields: value.fields.map(plain) };
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return { float: value };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).map(([key, inner]) => [key, plain(inner)]);
}

describe('PackStream', () => {
  test.each<[string, PackValue, string]>([
    ['null', null, 'C0'],
    ['booleans', [true, false], '92 C3 C2'],
    ['the smallest integers', [-16, -1, 0, 127], '94 F0 FF 00 7F'],
    ['one byte', [-17, -128], '92 C8 EF C8 80'],
    ['two bytes', [128, -129, 32767, -32768], '94 C9 0080 C9 FF7F C9 7FFF C9 8000'],
    ['four bytes', [32768, -2147483648], '92 CA 00008000 CA 80000000'],
    ['eight bytes', [2147483648, -(2n ** 63n)], '92 CB 0000000080000000 CB 8000000000000000'],
    ['floats', [1.25, new PackFloat(1)], '92 C1 3FF4000000000000 C1 3FF0000000000000'],
    ['texts', ['', 'ä', 'a'.repeat(16)], `93 80 82 C3A4 D0 10 ${'61'.repeat(16)}`],
    ['bytes', new Uint8Array([1, 2]), 'CC 02 01 02'],
    ['a map', { a: 1 }, 'A1 81 61 01'],
    ['a long list', Array(16).fill(1), `D4 10 ${'01'.repeat(16)}`],
    ['a structure', new Structure(0x4e, [1, [], {}]), 'B3 4E 01 90 A0'],
  ])('writes %s as the specification has it', (_, value, bytes) => {
    expect(pack(value).toString('hex')).toBe(hex(bytes).toString('hex'));
    expect(plain(unpack(hex(bytes)))).toEqual(plain(value));
  });

  test('reads what it wrote', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(plain(unpack(pack(value)))).toEqual(plain(value));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['nothing', ''],
    ['an unknown marker', 'C4'],
    ['a text that ends early', '85 61'],
    ['a text that is not UTF-8', '82 C328'],
    ['a list of four billion items', 'D6 FFFFFFFF'],
    ['a map of four billion entries', 'DA FFFFFFFF'],
    ['bytes that are not there', 'CE FFFFFFFF 00'],
    ['a key that is not a text', 'A1 01 01'],
    ['bytes after the value', '01 01'],
    ['lists that are too deep', '91'.repeat(100)],
    ['lists in keys', `A1 ${'91'.repeat(100)}`],
  ])('refuses %s', (_, bytes) => {
    expect(() => unpack(hex(bytes))).toThrow(PackError);
  });

  test('refuses or reads mutated bytes, and throws nothing else', () => {
    fc.assert(
      fc.property(
        anyValue,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        (value, changes) => {
          const bytes = pack(value);
          for (const [place, byte] of changes) bytes[place % bytes.length] = byte;
          try {
            unpack(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(PackError);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('chunks', () => {
  test('are read whatever the packets in which they arrive', () => {
    const message = fc.uint8Array({ minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 50 })),
        (messages, cuts) => {
          const wire = Buffer.concat(
            messages.flatMap((bytes) => [chunked(Buffer.from(bytes)), Buffer.from([0, 0])]),
          );
          const reader = new ChunkReader(300);
          const read: Buffer[] = [];
          let at = 0;
          for (const cut of [...cuts, wire.length]) {
            read.push(...reader.read(wire.subarray(at, at + cut)));
            at += cut;
          }
          expect(read.map((bytes) => [...bytes])).toEqual(messages.map((bytes) => [...bytes]));
          expect(reader.isWithin).toBe(false);
        },
      ),
    );
  });

  test('join a message that is longer than one of them', () => {
    const message = Buffer.alloc(200_000, 7);
    expect([...new ChunkReader(200_000).read(chunked(message))]).toEqual([message]);
  });

  test('of more bytes than a message may have are refused before they arrive', () => {
    const reader = new ChunkReader(100);
    expect([...reader.read(hex('0064'))]).toEqual([]);
    expect(() => [...new ChunkReader(100).read(hex('0065'))]).toThrow(PackError);
    expect(() => [...reader.read(Buffer.concat([Buffer.alloc(100), hex('0001')]))]).toThrow(PackError);
  });
});
