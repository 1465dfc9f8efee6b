/**
 * Texts of nodes that lists show in addition to values of the graph, read from the store once for each generation: the write and
 * the wait for one statement cost more than the search whose hits it describes.
 */
import type { Generation } from '@clew/generation';
import { getOrMake } from '@clew/graph';
import type { NodePropertySource } from '@clew/store';

/** Nodes remembered for each generation, some 200 bytes each. Beyond that it begins again. */
const MAX_NODES = 100_000;

export class ShownTexts {
  readonly #source: Pick<NodePropertySource, 'readTexts'>;
  readonly #key: string;
  /** Texts by generation, then by store id; empty for a node without the text. */
  readonly #known = new WeakMap<Generation, Map<number, string>>();

  constructor(source: Pick<NodePropertySource, 'readTexts'>, key: string) {
    this.#source = source;
    this.#key = key;
  }

  /** @returns the text for each place in the list, or an empty one */
  async read(generation: Generation, storeIds: readonly number[]): Promise<string[]> {
    const known = this.#knownOf(generation);
    const missing = storeIds.filter((id) => !known.has(id));
    const read = missing.length === 0 ? undefined : await this.#source.readTexts(missing, this.#key);
    const texts = storeIds.map((id) => known.get(id) ?? read?.get(id) ?? '');
    if (known.size + missing.length > MAX_NODES) known.clear();
    if (missing.length <= MAX_NODES) for (const id of missing) known.set(id, read?.get(id) ?? '');
    return texts;
  }

  #knownOf(generation: Generation): Map<number, string> {
    return getOrMake(this.#known, generation, () => new Map());
  }
}
