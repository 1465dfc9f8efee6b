/** Answers each text with how many works this thread has been given; `'stop'` takes for ever. */
import { parentPort } from 'node:worker_threads';

const port = parentPort as NonNullable<typeof parentPort>;
let works = 0;

port.on('message', (texts: readonly string[]) => {
  works++;
  port.postMessage({ begun: true });
  for (const text of texts) {
    while (text === 'stop');
    port.postMessage({ result: works });
  }
});
