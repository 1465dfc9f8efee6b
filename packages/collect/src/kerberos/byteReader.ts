/** Reads the files of MIT Kerberos: big-endian integers, and bytes preceded by their length. */

/** The file is cut off, or has another format. */
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

  /** @param lengthSize bytes of the preceding length */
  counted(lengthSize: 2 | 4): Buffer {
    return this.bytes(this.unsigned(lengthSize));
  }

  /** A reader of the next bytes, which are skipped here. */
  part(size: number): ByteReader {
    const at = this.#step(size);
    return new ByteReader(this.#bytes, this.#what, at, at + size);
  }

  #step(size: number): number {
    if (size > this.left) throw new KerberosFileError(`${this.#what} is truncated at byte ${this.at}`);
    const at = this.at;
    this.at += size;
    return at;
  }
}
