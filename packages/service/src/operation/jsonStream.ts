/** A stream of text from pieces made on demand; between two pieces other requests have their turn. */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** @param pieces made one by one, when the client has taken what was written before */
export function jsonStream(pieces: Iterable<string> | AsyncIterable<string>): Readable {
  return Readable.from(inTurns(pieces), { objectMode: false });
}

async function* inTurns(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    yield piece;
    await nextTurn();
  }
}
