/**
 * Aspects that were found empty by files that do not state what their run collected. Such an empty set counts as
 * enumerated only if the job has entries of the aspect from the same source, which is known at the end of the job:
 * then the stored entries are removed. Otherwise they are kept, and the records with the empty aspect are read
 * again next time, because they may count in another job.
 *
 * Rule: `docs/reference/collections.md#what-a-run-collected`.
 */
import { getOrMake } from '@clew/graph';
import { AspectBits, FIRST_WITHOUT_BIT } from './aspectBits.ts';
import { IdSet } from './idSet.ts';
import type { StagingTables } from './stagingTables.ts';

interface Aspect {
  readonly sourceId: number;
  readonly id: number;
  readonly empty: IdSet;
  /** Owners that have a set in the job. */
  readonly named: IdSet;
  hasEntries: boolean;
}

export class OpenSets {
  readonly #aspects = new Map<number, Aspect>();

  /** @param named owners that have a set in the job for the same aspect and source; read at the end of the job */
  addEmpty(sourceId: number, aspect: number, owner: number, named: IdSet): void {
    this.#of(sourceId, aspect, named).empty.add(owner);
  }

  addEntries(sourceId: number, aspect: number, named: IdSet): void {
    this.#of(sourceId, aspect, named).hasEntries = true;
  }

  /** Writes one row per object with such sets, by whether they count. */
  async endJob(tables: StagingTables): Promise<void> {
    const rows = tables.rows('leftOpen');
    let written = 0;
    for (const [sourceId, aspects] of Map.groupBy(this.#aspects.values(), (aspect) => aspect.sourceId)) {
      const owners = new IdSet();
      for (const { empty } of aspects) owners.addAll(empty);
      for (const owner of owners) {
        const [said, unsaid] = [new AspectBits(), new AspectBits()];
        for (const { id, empty, named, hasEntries } of aspects)
          if (empty.has(owner) && !named.has(owner)) (hasEntries ? said : unsaid).add(id);
        if ((said.low | said.high | unsaid.low | unsaid.high) === 0) continue;
        rows.begin().id(owner).source_id(sourceId).said(said.high, said.low).unsaid(unsaid.high, unsaid.low);
        if (++written % 10_000 === 0) await tables.written();
      }
    }
  }

  #of(sourceId: number, id: number, named: IdSet): Aspect {
    const key = sourceId * FIRST_WITHOUT_BIT + id;
    return getOrMake(this.#aspects, key, () => ({
      sourceId,
      id,
      empty: new IdSet(),
      named,
      hasEntries: false,
    }));
  }
}
