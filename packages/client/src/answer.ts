/**
 * The answer to a request, read in bounded memory: whatever is at the other end, no more is kept than an answer of the
 * service can have. Bytes are counted after decompression. What may be of any size, an export, is taken as a stream.
 */
import { AnswerError } from './errors.ts';

/** Of an answer that is read into memory. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Of an answer that is an error: the rest is not read. */
export const MAX_ERROR_BYTES = 64 * 1024;

export class Answer {
  readonly #response: Response;

  constructor(response: Response) {
    this.#response = response;
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

  /** @throws AnswerError when it is larger than an answer of the service can be */
  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }

  /** @throws AnswerError when it is larger than an answer of the service can be */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const { bytes, isCut } = await readAtMost(this.#response, MAX_ANSWER_BYTES);
    if (!isCut) return bytes;
    const megabytes = MAX_ANSWER_BYTES / (1024 * 1024);
    throw new AnswerError(
      this.status,
      `it is larger than ${megabytes} MiB, which no answer of the service is`,
    );
  }
}

/** @returns the text of an error; empty when it is longer than an error of the service can be */
export async function errorText(response: Response): Promise<string> {
  const { bytes, isCut } = await readAtMost(response, MAX_ERROR_BYTES);
  const text = new TextDecoder().decode(bytes);
  // Enough to see what kind of page it is.
  return isCut ? text.slice(0, 1024) : text;
}

async function readAtMost(
  { body }: Response,
  most: number,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isCut = false;
  const reader = body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    isCut = size > most;
    chunks.push(isCut ? value.subarray(0, value.length - (size - most)) : value);
    if (!isCut) continue;
    size = most;
    // Nobody waits for the other side to take notice.
    reader.cancel().catch(() => {});
    break;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return { bytes, isCut };
}
