/** The texts of the API's description. Always the same, and large: each is made once, when it is first asked for. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { DocumentOptions } from './document.ts';

export interface DescriptionRequest extends Omit<DocumentOptions, 'examples'> {
  readonly format: 'json' | 'yaml';
}

export class Descriptions {
  readonly #made = new Map<string, Promise<string>>();

  /** @throws the error that prevented the description; the next call tries again */
  text(request: DescriptionRequest): Promise<string> {
    const key = JSON.stringify(request);
    const made = this.#made.get(key) ?? make(request);
    this.#made.set(key, made);
    made.catch(() => this.#made.delete(key));
    return made;
  }
}

async function make(request: DescriptionRequest): Promise<string> {
  const thread = new Worker(new URL('./descriptionThread.ts', import.meta.url), { workerData: request });
  const [text] = await once(thread, 'message');
  return text;
}
