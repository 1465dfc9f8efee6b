import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inBlocks } from './blocks.ts';
import { readUtf8, Utf8Text } from './utf8Text.ts';

function utf16be(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

function utf32(text: string, littleEndian: boolean): Buffer {
  const points = [...text].map((character) => character.codePointAt(0) as number);
  const bytes = Buffer.alloc(points.length * 4);
  points.forEach((point, at) => {
    if (littleEndian) bytes.writeUInt32LE(point, at * 4);
    else bytes.writeUInt32BE(point, at * 4);
  });
  return bytes;
}

const ENCODINGS: Record<string, (text: string) => Buffer> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-8 with a mark': (text) => Buffer.from(`\ufeff${text}`),
  'UTF-16LE': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'UTF-16BE': (text) => utf16be(`\ufeff${text}`),
  'UTF-32LE': (text) => utf32(`\ufeff${text}`, true),
  'UTF-32BE': (text) => utf32(`\ufeff${text}`, false),
};

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    const chunk = Buffer.from(bytes.subarray(at, at + size));
    yield chunk;
    chunk.fill(0);
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts);
}

describe('readUtf8', () => {
  it.each(Object.keys(ENCODINGS))('reads %s in chunks of any size', async (encoding) => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        async (text, size) => {
          fc.pre(encoding !== 'UTF-8' || !text.startsWith('\ufeff'));
          const bytes = (ENCODINGS[encoding] as (text: string) => Buffer)(text);
          expect((await collect(readUtf8(chunksOf(bytes, size)))).toString()).toBe(text);
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each([
    ['UTF-16 cut in the middle of a character', Buffer.from([0xff, 0xfe, 0x41])],
    ['half of a surrogate pair in UTF-16', Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00])],
    ['UTF-32 beyond Unicode', Buffer.from([0xff, 0xfe, 0, 0, 0, 0, 0x11, 0])],
    ['a surrogate in UTF-32', Buffer.from([0, 0, 0xfe, 0xff, 0, 0, 0xd8, 0])],
    ['UTF-32 cut in the middle of a character', Buffer.from([0, 0, 0xfe, 0xff, 0, 0])],
  ])('refuses %s', async (_, bytes) => {
    await expect(collect(readUtf8(chunksOf(bytes, 3)))).rejects.toMatchObject({
      fault: { code: 'encoding' },
    });
  });

  it('knows whether offsets in the text are those of the file', () => {
    const plain = new Utf8Text();
    plain.write(Buffer.from('{"a":1}'));
    expect(plain.isPassedThrough).toBe(true);
    const wide = new Utf8Text();
    wide.write(Buffer.from('\ufeff{}', 'utf16le'));
    expect(wide.isPassedThrough).toBe(false);
  });
});

describe('inBlocks', () => {
  it('yields the same bytes in blocks of equal size, whatever the chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 200 }),
        fc.integer({ min: 1, max: 70 }),
        async (bytes, size) => {
          const sizes: number[] = [];
          const parts: Buffer[] = [];
          for await (const block of inBlocks(chunksOf(bytes, size), 16)) {
            sizes.push(block.length);
            parts.push(Buffer.from(block));
          }
          expect(Buffer.concat(parts)).toEqual(Buffer.from(bytes));
          expect(sizes.slice(0, -1).every((length) => length === 16)).toBe(true);
        },
      ),
    );
  });

  it('delivers the bytes before an error', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('abc');
      throw new Error('lost');
    }
    const parts: string[] = [];
    const reading = (async () => {
      for await (const block of inBlocks(failing(), 16)) parts.push(Buffer.from(block).toString());
    })();
    await expect(reading).rejects.toThrow('lost');
    expect(parts).toEqual(['abc']);
  });
});
