/**
 * Converts the bytes of a text file to UTF-8 without a byte order mark. UTF-8 is passed through unchanged (the JSON layer checks each
 * object); UTF-16 and UTF-32 are recognized by their mark and converted.
 *
 * Rule: `docs/reference/collections.md#archives`, text encoding.
 */

import { BadFileError } from '../badFileError.ts';
import { fileFault } from '../fileFault.ts';

interface Decoder {
  write(bytes: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

const NOTHING = new Uint8Array(0);

const PASS_THROUGH: Decoder = { write: (bytes) => bytes, end: () => NOTHING };

// UTF-32 first: its little-endian mark begins with that of UTF-16.
const MARKS: readonly (readonly [mark: readonly number[], decoder: () => Decoder])[] = [
  [[0xff, 0xfe, 0x00, 0x00], () => new Utf32Decoder(true)],
  [[0x00, 0x00, 0xfe, 0xff], () => new Utf32Decoder(false)],
  [[0xff, 0xfe], () => utf16Decoder('utf-16le')],
  [[0xfe, 0xff], () => utf16Decoder('utf-16be')],
  [[0xef, 0xbb, 0xbf], () => PASS_THROUGH],
];
const MAX_MARK_BYTES = 4;

export class Utf8Text {
  #head: Uint8Array = NOTHING;
  #decoder: Decoder | undefined;

  /** @throws BadFileError if the bytes are not valid in the encoding of their mark */
  write(bytes: Uint8Array): Uint8Array {
    if (this.#decoder !== undefined) return this.#decoder.write(bytes);
    this.#head =
      this.#head.length === 0 && bytes.length >= MAX_MARK_BYTES ? bytes : Buffer.concat([this.#head, bytes]);
    return this.#head.length < MAX_MARK_BYTES ? NOTHING : this.#begin();
  }

  /** Called at the end of the bytes. */
  end(): Uint8Array {
    const head = this.#decoder === undefined ? this.#begin() : NOTHING;
    const tail = this.#decoder?.end() ?? NOTHING;
    return head.length === 0 ? tail : Buffer.concat([head, tail]);
  }

  /** Whether the bytes are UTF-8, so that offsets and the tail of the text are those of the file. Known after the first bytes. */
  get isPassedThrough(): boolean {
    return this.#decoder === PASS_THROUGH;
  }

  #begin(): Uint8Array {
    const head = this.#head;
    this.#head = NOTHING;
    const row = MARKS.find(([mark]) => mark.every((byte, at) => head[at] === byte));
    this.#decoder = row?.[1]() ?? PASS_THROUGH;
    return this.#decoder.write(head.subarray(row?.[0].length ?? 0));
  }
}

/** Converts a whole stream of bytes to UTF-8 chunks. */
export async function* readUtf8(
  bytes: AsyncIterable<Uint8Array>,
  text = new Utf8Text(),
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) yield text.write(chunk);
  yield text.end();
}

function utf16Decoder(encoding: 'utf-16le' | 'utf-16be'): Decoder {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  const decode = (bytes: Uint8Array, stream: boolean): Uint8Array => {
    try {
      return Buffer.from(decoder.decode(bytes, { stream }), 'utf8');
    } catch {
      throw new BadFileError(fileFault('encoding', encoding.toUpperCase()));
    }
  };
  return { write: (bytes) => decode(bytes, true), end: () => decode(NOTHING, false) };
}

class Utf32Decoder implements Decoder {
  readonly #littleEndian: boolean;
  #rest: Uint8Array = NOTHING;

  constructor(littleEndian: boolean) {
    this.#littleEndian = littleEndian;
  }

  write(bytes: Uint8Array): Uint8Array {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const whole = all.length - (all.length % 4);
    this.#rest = Buffer.from(all.subarray(whole));
    const view = new DataView(all.buffer, all.byteOffset, whole);
    const characters: string[] = [];
    for (let at = 0; at < whole; at += 4) {
      const point = view.getUint32(at, this.#littleEndian);
      if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
        throw new BadFileError(fileFault('encoding', 'UTF-32'));
      characters.push(String.fromCodePoint(point));
    }
    return Buffer.from(characters.join(''), 'utf8');
  }

  end(): Uint8Array {
    if (this.#rest.length > 0) throw new BadFileError(fileFault('encoding', 'UTF-32'));
    return NOTHING;
  }
}
