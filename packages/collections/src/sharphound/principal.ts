/** References to other objects: an object id and the kind the collector knew. */
import { NODE_KINDS } from '@clew/model';

export interface Principal {
  /** Upper case; never empty. */
  readonly id: string;
  readonly kind: string;
}

const kindByName: ReadonlyMap<string, string> = new Map(NODE_KINDS.map(({ name }) => [name, name]));

/**
 * The kind of a principal: an exact name of a built-in kind, else `Base` (`LocalGroup` of collectors of early
 * 2024, `Configuration`). Rule: shared reference `collections-ad.md` 2.1.
 */
export function principalKind(objectType: unknown): string {
  return kindByName.get(objectType as string) ?? 'Base';
}

/** Entries after which the pool starts anew, so that its memory stays bounded. */
const POOL_ENTRIES = 50_000;

/**
 * Upper-case object ids, one string for each. Access lists name the same principals over and over: sharing them
 * saves the conversion, and the memory of a batch.
 */
export class IdPool {
  readonly #ids = new Map<string, string>();

  upper(text: string): string {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    if (this.#ids.size >= POOL_ENTRIES) this.#ids.clear();
    const id = text.toUpperCase();
    this.#ids.set(text, id);
    return id;
  }
}
