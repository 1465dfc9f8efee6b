/**
 * Texts of nodes in lists besides values of the graph, read from the store once per generation: a database round trip costs more than the
 * search itself.
 */
import type { Generation } from '@clew/generation';
import { getOrMake } from '@clew/graph';
import type { NodePropertySource } from '@clew/store';

/** Maximum nodes remembered per generation, about 200 bytes each. At the limit, it starts over. */
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

  /** @returns the text for each position in the list, or an empty one */
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
