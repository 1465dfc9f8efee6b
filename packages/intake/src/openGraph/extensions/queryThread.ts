/**
 * Compiles the queries of a definition in a separate thread: hundreds of long queries would block all other
 * requests.
 */
import { parentPort } from 'node:worker_threads';
import type { QueryMessage } from './compiledQueries.ts';
import { type CompiledText, compiledText, type QueryText } from './compiledText.ts';

const port = parentPort as NonNullable<typeof parentPort>;
const send = (message: QueryMessage): void => port.postMessage(message);

port.on('message', (texts: readonly QueryText[]) => {
  send({ begun: true });
  for (const text of texts) send({ result: compiled(text) });
});

function compiled(text: QueryText): CompiledText {
  try {
    return compiledText(text);
  } catch (error) {
    // Stack overflow.
    if (error instanceof RangeError) return { fault: 'cannot be used: it is nested too deeply' };
    throw error;
  }
}
