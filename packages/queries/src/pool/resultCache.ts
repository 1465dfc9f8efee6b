/** Results that took long, limited by size: the least recently used are evicted first. */

export class ResultCache {
  readonly #maxBytes: number;
  /** In order of use. */
  readonly #results = new Map<string, Uint32Array>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): Uint32Array | undefined {
    const result = this.#results.get(key);
    if (result === undefined) return undefined;
    this.#results.delete(key);
    this.#results.set(key, result);
    return result;
  }

  set(key: string, result: Uint32Array): void {
    if (result.byteLength > this.#maxBytes / 2) return;
    this.delete(key);
    this.#results.set(key, result);
    this.#bytes += result.byteLength;
    for (const oldest of this.#results.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.delete(oldest);
    }
  }

  /** Evicts the results without this key prefix. */
  keepOnly(prefix: string): void {
    for (const key of this.#results.keys()) if (!key.startsWith(prefix)) this.delete(key);
  }

  delete(key: string): void {
    this.#bytes -= this.#results.get(key)?.byteLength ?? 0;
    this.#results.delete(key);
  }
}
