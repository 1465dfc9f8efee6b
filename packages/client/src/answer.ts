/**
 * The answer to a request, read in bounded memory: whatever the server sends, at most the maximum size of an answer is kept. Bytes are
 * counted after decompression. An export, which may have any size, is read as a stream.
 */
import { AnswerError } from './errors.ts';
import { Turns } from './turns.ts';

/** Maximum size of an answer that is read into memory. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Larger answers are read one at a time, so that many simultaneous requests need no more memory than one. */
const LARGE_BYTES = 4 * 1024 * 1024;
/** Maximum size of an error answer; the rest is not read. */
export const MAX_ERROR_BYTES = 1024 * 1024;

export interface AnswerOptions {
  readonly turns?: Turns;
  readonly signal?: AbortSignal | undefined;
  readonly maxBytes?: number | undefined;
}

export class Answer {
  readonly #response: Response;
  readonly #whenLarge: () => Promise<() => void>;
  readonly #maxBytes: number;

  /** @param turns turns of the client, for large answers @param signal ends the request */
  constructor(
    response: Response,
    { turns = new Turns(), signal, maxBytes = MAX_ANSWER_BYTES }: AnswerOptions = {},
  ) {
    this.#response = response;
    this.#whenLarge = () => turns.take(signal);
    this.#maxBytes = maxBytes;
  }

  get status(): number {
    return this.#response.status;
  }

  get headers(): Headers {
    return this.#response.headers;
  }

  /** The body, of any size, for callers that forward it as it arrives. */
  get body(): ReadableStream<Uint8Array> | null {
    return this.#response.body;
  }

  /** The body, of any size, stored like files of browsers: not in memory. */
  blob(): Promise<Blob> {
    return this.#response.blob();
  }

  /** @throws AnswerError if it exceeds the limit of the service or of the client */
  async text(): Promise<string> {
    const bytes = await this.bytes();
    try {
      return new TextDecoder().decode(bytes);
    } finally {
      free(bytes);
    }
  }

  /** @throws AnswerError if it exceeds the limit of the service or of the client */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const { growing, size, isCut } = await readAtMost(this.#response, this.#maxBytes, this.#whenLarge);
    if (!isCut) return ofFixedLength(growing, size);
    free(growing);
    const what =
      this.#maxBytes < MAX_ANSWER_BYTES ? 'ask for less' : 'which is more than any answer of the service';
    throw new AnswerError(this.status, `it is larger than ${this.#maxBytes / (1024 * 1024)} MiB, ${what}`);
  }
}

/** @returns the text of an error; empty if it exceeds the limit of an error */
export async function errorText(response: Response): Promise<string> {
  const { growing, size, isCut } = await readAtMost(response, MAX_ERROR_BYTES);
  const text = new TextDecoder().decode(ofFixedLength(growing, size));
  // Enough to recognize the type of page.
  return isCut ? text.slice(0, 1024) : text;
}

/** Frees the memory immediately, because the garbage collector may run late while few objects are created. */
const free = ({ buffer }: Uint8Array<ArrayBuffer>): void => void buffer.transfer(0);

/** Browsers decode, hash and send only buffers of a fixed length; Node.js accepts both. Truncating a buffer does not copy it. */
const ofFixedLength = ({ buffer }: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(buffer.transferToFixedLength(size));

/**
 * One buffer that grows in place, without an additional list of pieces.
 * @param whenLarge resolves when no other large answer is being read, with a function to call when this one is complete
 */
async function readAtMost(
  { body }: Response,
  most: number,
  whenLarge?: () => Promise<() => void>,
): Promise<{ readonly growing: Uint8Array<ArrayBuffer>; readonly size: number; readonly isCut: boolean }> {
  const buffer = new ArrayBuffer(0, { maxByteLength: most });
  const growing = new Uint8Array(buffer);
  let size = 0;
  let isCut = false;
  let end: (() => void) | undefined;
  const reader = body?.getReader();
  try {
    while (reader !== undefined && !isCut) {
      const { done, value } = await reader.read();
      if (done) break;
      if (size + value.length > LARGE_BYTES) end ??= await whenLarge?.();
      isCut = value.length > most - size;
      const taken = isCut ? value.subarray(0, most - size) : value;
      if (size + taken.length > buffer.byteLength)
        buffer.resize(Math.min(most, Math.max(size + taken.length, buffer.byteLength * 2)));
      growing.set(taken, size);
      size += taken.length;
      // Does not wait until the server notices.
      if (isCut) reader.cancel().catch(() => {});
    }
  } catch (error) {
    free(growing);
    throw error;
  } finally {
    end?.();
  }
  return { growing, size, isCut };
}
