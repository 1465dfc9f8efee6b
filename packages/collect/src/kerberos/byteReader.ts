/** Reads the files of MIT Kerberos: whole numbers with the highest byte first, and bytes with their length in front. */

/** A file that is cut off, or none of its kind. */
export class KerberosFileError extends Error {
  override readonly name = 'KerberosFileError';
}

export class ByteReader {
  readonly #bytes: Buffer;
  readonly #what: string;
  at: number;
  readonly end: number;

  constructor(bytes: Buffer, what: string, at = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#what = what;
    this.at = at;
    this.end = end;
  }

  get left(): number {
    return this.end - this.at;
  }

  unsigned(size: 1 | 2 | 4): number {
    return this.#bytes.readUIntBE(this.#step(size), size);
  }

  signed32(): number {
    return this.#bytes.readInt32BE(this.#step(4));
  }

  bytes(size: number): Buffer {
    const at = this.#step(size);
    return this.#bytes.subarray(at, at + size);
  }

  /** @param lengthSize bytes of the length in front */
  counted(lengthSize: 2 | 4): Buffer {
    return this.bytes(this.unsigned(lengthSize));
  }

  /** A reader of the next bytes, which are stepped over. */
  part(size: number): ByteReader {
    const at = this.#step(size);
    return new ByteReader(this.#bytes, this.#what, at, at + size);
  }

  #step(size: number): number {
    if (size > this.left) throw new KerberosFileError(`${this.#what} is cut off at byte ${this.at}`);
    const at = this.at;
    this.at += size;
    return at;
  }
}
