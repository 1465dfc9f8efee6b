/**
 * What a worker keeps of its last build, so that the next one works on what changed since. It saves work and never
 * decides: where it does not fit, the build does all of it.
 */
import type { Generation } from '@clew/generation';
import type pg from 'pg';
import type { DerivedGraph } from './deriveAgain.ts';
import { KnownRows } from './known/knownRows.ts';

type PublishedAs = Pick<Generation, 'id' | 'publishedAt'>;

export class BuildMemory {
  readonly rows = new KnownRows();
  #derived:
    | { readonly generation: PublishedAs; readonly recipe: string; readonly made: DerivedGraph }
    | undefined;

  /** @param generation was committed with these derived edges @param recipe of the analysis that made them */
  rememberDerived({ id, publishedAt }: PublishedAs, recipe: string, made: DerivedGraph): void {
    this.#derived = { generation: { id, publishedAt }, recipe, made };
  }

  /**
   * Gives what was derived for the newest generation in the store, if this worker published it by the same recipe; it is
   * given once, since the one who works on it changes it.
   */
  async takeDerived(client: pg.ClientBase, recipe: string): Promise<DerivedGraph | undefined> {
    const known = this.#derived;
    this.#derived = undefined;
    if (known === undefined) return undefined;
    const { rows } = await client.query<{ id: number; published_at: string }>(
      'select id, published_at from generation order by id desc limit 1',
    );
    const isNewest =
      rows[0]?.id === known.generation.id && rows[0].published_at === known.generation.publishedAt;
    return isNewest && known.recipe === recipe ? known.made : undefined;
  }
}
