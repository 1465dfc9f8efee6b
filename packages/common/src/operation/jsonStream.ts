/**
 * Answers that are generated and written piece by piece, so that a long answer neither fills memory nor blocks the
 * event loop. Other requests run between two pieces.
 */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { notReady } from './apiError.ts';

declare const HOLDS: unique symbol;

/** Limits the number of simultaneous long answers. One owner cannot use all slots. */
export class StreamSlots {
  readonly #most: number;
  readonly #taken = new Map<string, number>();

  /** @param most maximum number of simultaneous answers; one owner may have one fewer */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * @param owner slots are counted by owner
   * @param open creates the answer; its slot is free again when the stream has closed for any reason
   * @throws ApiError 503 if there are too many answers, and errors of `open`
   */
  async open<A extends { readonly stream: Readable }>(owner: string, open: () => A | Promise<A>): Promise<A> {
    const own = this.#taken.get(owner) ?? 0;
    let all = 0;
    for (const count of this.#taken.values()) all += count;
    if (own >= this.#most - 1) throw notReady('this user has too many exports in progress', 10);
    if (all >= this.#most) throw notReady('too many exports are in progress', 10);
    this.#taken.set(owner, own + 1);
    try {
      const answer = await open();
      answer.stream.once('close', () => this.#free(owner));
      return answer;
    } catch (error) {
      this.#free(owner);
      throw error;
    }
  }

  #free(owner: string): void {
    const left = (this.#taken.get(owner) ?? 1) - 1;
    if (left > 0) this.#taken.set(owner, left);
    else this.#taken.delete(owner);
  }
}

/** A stream with the text of one JSON value; only the type system uses `T`. */
export type JsonStream<T> = Readable & { readonly [HOLDS]: T };

/** A stream of text that is not JSON. */
export type TextStream = Readable & { readonly [HOLDS]: 'text' };

export type Pieces = Iterable<string> | AsyncIterable<string>;

/** Pieces of the text of one JSON value. Declare its type where they are written, because it cannot be inferred. */
export type JsonPieces<T> = AsyncIterable<string> & { readonly [HOLDS]?: T };

/** Maximum silence while the next piece is generated: proxies and clients give up on silent connections. */
const SILENCE_MS = 5_000;

/** @param pieces generated one by one, after the client has read the earlier pieces */
export function jsonStream<T>(pieces: JsonPieces<T>): JsonStream<T> {
  return Readable.from(neverSilent(inTurns(pieces)), { objectMode: false }) as JsonStream<T>;
}

/** White space between two pieces of JSON has no meaning, but shows that the service is working. */
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
    // A piece that is being generated ends first: its statement is canceled with the request.
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
 * @param head its members in the order in which they are written
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
