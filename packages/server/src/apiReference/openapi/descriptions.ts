/** The texts of the API description. They are constant and large, so each is generated once, at the first request. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { DocumentOptions } from './document.ts';

export interface DescriptionRequest extends Omit<DocumentOptions, 'examples'> {
  readonly format: 'json' | 'yaml';
}

export class Descriptions {
  readonly #made = new Map<string, Promise<string>>();

  /** @throws the error that prevented it; the next call tries again */
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
