/**
 * Answers that are written piece by piece, made on demand: neither memory nor the event loop is filled by a long one.
 * Between two pieces other requests have their turn.
 */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { notReady } from './apiError.ts';

declare const HOLDS: unique symbol;

/** Lets a limited number of long answers run at once. */
export class StreamSlots {
  readonly #most: number;
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * @param open makes the answer; its place is free again when the stream has closed, however it ends
   * @throws ApiError 503 when there are too many already, and what `open` throws
   */
  async open<A extends { readonly stream: Readable }>(open: () => A | Promise<A>): Promise<A> {
    if (this.#taken >= this.#most) throw notReady('too many exports are under way', 10);
    this.#taken++;
    try {
      const answer = await open();
      answer.stream.once('close', () => this.#taken--);
      return answer;
    } catch (error) {
      this.#taken--;
      throw error;
    }
  }
}

/** A stream of the text of one JSON value; `T` is known to the type system only. */
export type JsonStream<T> = Readable & { readonly [HOLDS]: T };

/** A stream of text that is not JSON. */
export type TextStream = Readable & { readonly [HOLDS]: 'text' };

export type Pieces = Iterable<string> | AsyncIterable<string>;

/** Pieces of the text of one JSON value. Say of which where they are written: nothing else can know. */
export type JsonPieces<T> = AsyncIterable<string> & { readonly [HOLDS]?: T };

/** The longest silence while the next piece is made: proxies and clients give up on silent connections. */
const SILENCE_MS = 5_000;

/** @param pieces made one by one, when the client has taken the pieces written before */
export function jsonStream<T>(pieces: JsonPieces<T>): JsonStream<T> {
  return Readable.from(neverSilent(inTurns(pieces)), { objectMode: false }) as JsonStream<T>;
}

/** White space between two pieces of JSON means nothing, and shows that there is someone. */
async function* neverSilent(pieces: AsyncGenerator<string>, silenceMs = SILENCE_MS): AsyncGenerator<string> {
  try {
    for (;;) {
      const next = pieces.next();
      next.catch(() => {});
      while (!(await isSettledWithin(next, silenceMs))) yield ' ';
      const { done, value } = await next;
      if (done) return;
      yield value;
    }
  } finally {
    // A piece under way ends first: its statement is canceled with the request.
    void pieces.return(undefined).catch(() => {});
  }
}

async function isSettledWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  const settled = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function textStream(pieces: Pieces): TextStream {
  return Readable.from(inTurns(pieces), { objectMode: false }) as TextStream;
}

async function* inTurns(pieces: Pieces): AsyncGenerator<string> {
  for await (const piece of pieces) {
    yield piece;
    await nextTurn();
  }
}

interface Page {
  readonly count: number;
  readonly skip: number;
  readonly limit: number;
}

/**
 * A page of a list, `{"count", "skip", "limit", "data"}`, written batch by batch.
 * @param head its members in the order they are written
 */
export function pageStream<Entry>(
  head: Page,
  batches: Iterable<readonly Entry[]> | AsyncIterable<readonly Entry[]>,
): JsonStream<Page & { readonly data: readonly Entry[] }> {
  return jsonStream(listPieces(`${JSON.stringify(head).slice(0, -1)},"data":[`, batches));
}

/** A list without a page, `{"data"}`, written batch by batch. */
export function dataStream<Entry>(
  batches: AsyncIterable<readonly Entry[]>,
): JsonStream<{ readonly data: readonly Entry[] }> {
  return jsonStream(listPieces('{"data":[', batches));
}

async function* listPieces(
  head: string,
  batches: Iterable<readonly unknown[]> | AsyncIterable<readonly unknown[]>,
): AsyncGenerator<string> {
  yield head;
  let separator = '';
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield separator + JSON.stringify(batch).slice(1, -1);
    separator = ',';
  }
  yield ']}';
}
