/**
 * Answers that are written piece by piece, made on demand: neither memory nor the event loop is filled by a long one.
 * Between two pieces other requests have their turn.
 */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

declare const HOLDS: unique symbol;

/** A stream of the text of one JSON value; `T` is known to the type system only. */
export type JsonStream<T> = Readable & { readonly [HOLDS]: T };

/** A stream of text that is not JSON. */
export type TextStream = Readable & { readonly [HOLDS]: 'text' };

export type Pieces = Iterable<string> | AsyncIterable<string>;

/** Pieces of the text of one JSON value. Say of which where they are written: nothing else can know. */
export type JsonPieces<T> = AsyncIterable<string> & { readonly [HOLDS]?: T };

/** @param pieces made one by one, when the client has taken what was written before */
export function jsonStream<T>(pieces: JsonPieces<T>): JsonStream<T> {
  return Readable.from(inTurns(pieces), { objectMode: false }) as JsonStream<T>;
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
  async function* pieces(): AsyncGenerator<string> {
    yield `${JSON.stringify(head).slice(0, -1)},"data":[`;
    let separator = '';
    for await (const batch of batches) {
      if (batch.length === 0) continue;
      yield separator + JSON.stringify(batch).slice(1, -1);
      separator = ',';
    }
    yield ']}';
  }
  return jsonStream(pieces());
}
