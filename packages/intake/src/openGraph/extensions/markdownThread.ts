/** Checks texts in a thread of its own: some take a parser minutes, and it can be ended. */
import { parentPort, workerData } from 'node:worker_threads';
import { markdownFault } from './markdown.ts';
import type { MarkdownMessage } from './markdownFaults.ts';

const port = parentPort as NonNullable<typeof parentPort>;
const send = (message: MarkdownMessage): void => port.postMessage(message);

send({ begun: true });
for (const text of workerData as readonly string[]) send({ result: faultOf(text) });

function faultOf(text: string): string | undefined {
  try {
    return markdownFault(text);
  } catch (error) {
    // The stack is full.
    if (error instanceof RangeError) return 'is nested too deeply';
    throw error;
  }
}
