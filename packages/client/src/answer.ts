/**
 * The answer to a request, read in bounded memory: whatever is at the other end, no more is kept than an answer of the
 * service can have. Bytes are counted after decompression. What may be of any size, an export, is taken as a stream.
 */
import { AnswerError } from './errors.ts';
import { Turns } from './turns.ts';

/** Of an answer that is read into memory. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** What is larger is read one at a time: many requests at once take no more memory than one. */
const LARGE_BYTES = 4 * 1024 * 1024;
/** Of an answer that is an error: the rest is not read. */
export const MAX_ERROR_BYTES = 64 * 1024;

export interface AnswerOptions {
  readonly turns?: Turns;
  readonly signal?: AbortSignal | undefined;
  readonly maxBytes?: number | undefined;
}

export class Answer {
  readonly #response: Response;
  readonly #whenLarge: () => Promise<() => void>;
  readonly #maxBytes: number;

  /** @param turns of the client, for answers that are large @param signal ends the request */
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

  /** Of any size, for who writes it on as it comes. */
  get body(): ReadableStream<Uint8Array> | null {
    return this.#response.body;
  }

  /** Of any size, as browsers keep files: not in memory. */
  blob(): Promise<Blob> {
    return this.#response.blob();
  }

  /** @throws AnswerError when it is larger than an answer of the service can be, or than the client takes */
  async text(): Promise<string> {
    const bytes = await this.bytes();
    try {
      return new TextDecoder().decode(bytes);
    } finally {
      free(bytes);
    }
  }

  /** @throws AnswerError when it is larger than an answer of the service can be, or than the client takes */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const { growing, size, isCut } = await readAtMost(this.#response, this.#maxBytes, this.#whenLarge);
    if (!isCut) return ofFixedLength(growing, size);
    free(growing);
    const what = this.#maxBytes < MAX_ANSWER_BYTES ? 'ask for less' : 'which no answer of the service is';
    throw new AnswerError(this.status, `it is larger than ${this.#maxBytes / (1024 * 1024)} MiB, ${what}`);
  }
}

/** @returns the text of an error; empty when it is longer than an error of the service can be */
export async function errorText(response: Response): Promise<string> {
  const { growing, size, isCut } = await readAtMost(response, MAX_ERROR_BYTES);
  const text = new TextDecoder().decode(ofFixedLength(growing, size));
  // Enough to see what kind of page it is.
  return isCut ? text.slice(0, 1024) : text;
}

/** Gives the memory back now: the collector takes its time while little else is made. */
const free = ({ buffer }: Uint8Array<ArrayBuffer>): void => void buffer.transfer(0);

/** Browsers decode, hash and send only buffers of a fixed length; Node.js takes both. What is cut is not copied for it. */
const ofFixedLength = ({ buffer }: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(buffer.transferToFixedLength(size));

/**
 * One buffer that grows where it is: no list of pieces is held beside it.
 * @param whenLarge resolves when no other large answer is read, with what tells that this one is over
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
      // No one waits for the other side to take notice.
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
