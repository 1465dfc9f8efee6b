/** Validates texts in a separate thread, which can be terminated, because a parser takes minutes for some texts. */
import { parentPort } from 'node:worker_threads';
import { markdownFault } from './markdown.ts';
import type { MarkdownMessage } from './markdownFaults.ts';

const port = parentPort as NonNullable<typeof parentPort>;
const send = (message: MarkdownMessage): void => port.postMessage(message);

port.on('message', (texts: readonly string[]) => {
  send({ begun: true });
  for (const text of texts) send({ result: faultOf(text) });
});

function faultOf(text: string): string | undefined {
  try {
    return markdownFault(text);
  } catch (error) {
    // Stack overflow.
    if (error instanceof RangeError) return 'is nested too deeply';
    throw error;
  }
}
