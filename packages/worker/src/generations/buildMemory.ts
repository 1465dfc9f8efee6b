/**
 * State of the last build that a worker keeps, so that the next build processes only later changes. It is only an
 * optimization: if it does not match, the build processes everything.
 */
import type { Generation } from '@clew/generation';
import type { AttackGraph } from '@clew/graph';
import type { FindingsOfGeneration, RanDerivation } from '@clew/judgment';
import type pg from 'pg';
import type { DerivedGraph } from './deriveAgain.ts';
import { KnownRows } from './known/knownRows.ts';

type PublishedAs = Pick<Generation, 'id' | 'publishedAt'>;

export class BuildMemory {
  readonly rows = new KnownRows();
  readonly derived = new Remembered<DerivedGraph>();
  readonly findings = new Remembered<FindingsOfGeneration>();
  /** Edges that definitions derived from the facts of a load. */
  definitions: KnownDerivations | undefined;
}

interface KnownDerivations {
  /** Number of the load. */
  readonly load: number;
  readonly ran: readonly RanDerivation[];
  /** Number of edge sets that they have in the store. */
  readonly sets: number;
}

/** A part of the published state. It is handed out once, because its user changes it. */
class Remembered<Part> {
  #known: { readonly generation: PublishedAs; readonly recipe: string; readonly part: Part } | undefined;

  /** @param generation was committed with this part */
  keep({ id, publishedAt }: PublishedAs, recipe: string, part: Part): void {
    this.#known = { generation: { id, publishedAt }, recipe, part };
  }

  /**
   * @param next number of the generation that is being published, if it is already in the store @returns the part, if
   * it belongs to the newest generation in the store and to the same recipe
   */
  async take(client: pg.ClientBase, recipe: string, next?: number): Promise<Part | undefined> {
    const known = this.#known;
    this.#known = undefined;
    if (known === undefined || known.recipe !== recipe) return undefined;
    const { rows } = await client.query<{ id: number; published_at: string }>(
      'select id, published_at from generation where $1::bigint is null or id < $1 order by id desc limit 1',
      [next ?? null],
    );
    const { id, publishedAt } = known.generation;
    return rows[0]?.id === id && rows[0].published_at === publishedAt ? known.part : undefined;
  }
}

/** Findings refer to their types by positions in a list: built-in types first, then declared ones. */
export function recipeOfFindings(recipe: string, { declared }: AttackGraph): string {
  return `${recipe} ${[...declared.findings, ...declared.checks].map(({ id }) => id).join()}`;
}
