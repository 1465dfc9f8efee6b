/**
 * Change kits of repairs: their facts in the latest analysis, and the files built from them.
 *
 * Rule: `docs/kits.md`.
 */
import type { ChangeKitRecord, ChangeKitRequest } from '@clew/api';
import { zipFiles } from '@clew/explore';
import { changeKit } from '@clew/kits';
import { type KitFacts, kitFacts, tierZeroOf } from '@clew/planning';
import type { PlanState } from './planState.ts';
import { repairRecord } from './repairRecords.ts';
import { repairsOf } from './requestedChange.ts';
import { type Seen, type Sight, sightIn } from './sight.ts';

export interface ChangeKitInput extends ChangeKitRequest {
  readonly seen: Seen;
}

/**
 * @returns undefined if the user may not see every object of a change
 * @throws PlanError for a change that does not exist
 */
export async function changeKitRecord(
  { generation, world }: PlanState,
  { repairs: references, seen }: ChangeKitInput,
): Promise<ChangeKitRecord | undefined> {
  const { context, zones } = world;
  const repairs = repairsOf(generation, world, references);
  const all = repairs.map((repair) => kitFacts({ context, tierZero: tierZeroOf(zones) }, repair));
  const sight = sightIn(generation, seen);
  if (sight !== undefined && !all.every((facts) => seesWhole(facts, sight))) return undefined;
  const kit = changeKit(
    repairs.map((repair, at) => {
      const { title, change, check, risk, affected_count } = repairRecord(generation, world, repair);
      return { facts: all[at], title, change, check, risk, affected: affected_count };
    }),
  );
  const archive = await zipFiles(kit.files.map(({ name, text }) => ({ name, bytes: Buffer.from(text) })));
  return {
    generation: generation.id,
    changes: kit.changes.map((one) => ({
      ...{ ...one, steps: [...one.steps], rules: [...one.rules], unwatched: [...one.unwatched] },
    })),
    files: kit.files.map((file) => ({ ...file })),
    archive: archive.toString('base64'),
  };
}

/** A change of objects that the user may not see would reveal that they exist. */
function seesWhole(facts: KitFacts, sight: Sight): boolean {
  const ids: string[] = [];
  JSON.stringify(facts, (key, value: unknown) => {
    if (key === 'objectId') ids.push(value as string);
    return value;
  });
  return ids.every((id) => sight.isVisible(id));
}
