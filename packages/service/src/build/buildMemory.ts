/**
 * What a worker keeps of its last build, so that the next one works on what changed since. It saves work and never
 * decides: where it does not fit, the build does all of it.
 */
import type { Generation } from '@clew/generation';
import type pg from 'pg';
import { KnownRows } from './known/knownRows.ts';
import type { DerivedFacts } from './writeDerived.ts';

type PublishedAs = Pick<Generation, 'id' | 'publishedAt'>;

export class BuildMemory {
  readonly rows = new KnownRows();
  #derived: { readonly generation: PublishedAs; readonly facts: DerivedFacts } | undefined;

  /** @param generation was committed with these derived edges */
  rememberDerived({ id, publishedAt }: PublishedAs, facts: DerivedFacts): void {
    this.#derived = { generation: { id, publishedAt }, facts };
  }

  /** @returns the derived edges of the newest generation in the store before this one, if this worker published it */
  async derivedBefore(client: pg.ClientBase, next: number): Promise<DerivedFacts | undefined> {
    if (this.#derived === undefined) return undefined;
    const { rows } = await client.query<{ id: number; published_at: string }>(
      'select id, published_at from generation where id < $1 order by id desc limit 1',
      [next],
    );
    const { generation, facts } = this.#derived;
    const isNewest = rows[0]?.id === generation.id && rows[0].published_at === generation.publishedAt;
    if (!isNewest) this.#derived = undefined;
    return isNewest ? facts : undefined;
  }
}
