/**
 * Change kits of repairs: their facts in the latest analysis, and the files built from them.
 *
 * Rule: `docs/kits.md`.
 */
import type { ChangeKitRecord, ChangeKitRequest } from '@clew/api';
import { zipFiles } from '@clew/explore';
import { changeKit, type FindingAdvice } from '@clew/kits';
import {
  type KitFacts,
  type KitRelation,
  kitFacts,
  type Repair,
  repairQuestion,
  tierZeroOf,
} from '@clew/planning';
import { TIER_ZERO } from '@clew/store';
import type { StoredConstraint } from './constraints.ts';
import type { PlanState } from './planState.ts';
import { repairPrices } from './repairCosts.ts';
import { repairRecord } from './repairRecords.ts';
import { repairsOf } from './requestedChange.ts';
import { type Seen, type Sight, sightIn } from './sight.ts';

export interface ChangeKitInput extends ChangeKitRequest {
  readonly constraints: readonly StoredConstraint[];
  readonly seen: Seen;
}

/**
 * @returns undefined if the user may not see every object of a change
 * @throws PlanError for a change that does not exist
 */
export const changeKitRecord = (
  state: PlanState,
  { repairs, constraints, seen }: ChangeKitInput,
): Promise<ChangeKitRecord | undefined> =>
  kitOfRepairs(state, repairsOf(state.generation, state.world, repairs), {
    ...{ zone: TIER_ZERO, constraints, seen },
  });

interface KitContext {
  /** The zone and the answers of people decide what is asked. */
  readonly zone: number;
  readonly constraints: readonly StoredConstraint[];
  readonly seen: Seen;
  /** A sentence about all changes. */
  readonly note?: string | undefined;
  /** The remedy of the finding that the changes close. */
  readonly advice?: FindingAdvice;
}

/** @returns undefined if the user may not see every object of a change */
export async function kitOfRepairs(
  state: PlanState,
  repairs: readonly Repair[],
  { zone, constraints, seen, note, advice }: KitContext,
): Promise<ChangeKitRecord | undefined> {
  const { generation, world } = state;
  const { context, zones } = world;
  const all = repairs.map((repair) => kitFacts({ context, tierZero: tierZeroOf(zones) }, repair));
  const sight = sightIn(generation, seen);
  if (sight !== undefined && !all.every((facts) => seesWhole(facts, sight))) return undefined;
  const prices = repairPrices(state, zone, constraints);
  const kit = changeKit(
    repairs.map((repair, at) => {
      const { title, change, check, risk, affected_count } = repairRecord(generation, world, repair);
      const asked = repairQuestion(world, repair, prices.of(repair));
      const questions = asked === undefined ? [] : [asked];
      return { facts: all[at], title, change, check, risk, questions, affected: affected_count };
    }),
    { note, advice },
  );
  return { ...(await kitRecord(generation.id, kit)), ...(note !== undefined && { note }) };
}

export async function kitRecord(
  generation: number,
  kit: ReturnType<typeof changeKit>,
): Promise<ChangeKitRecord> {
  return {
    generation,
    changes: kit.changes.map((one) => ({
      ...{ ...one, steps: [...one.steps], rules: [...one.rules], unwatched: [...one.unwatched] },
    })),
    ...(await archivedFiles(kit.files)),
  };
}

/** @returns the files, and the same files as an archive */
export async function archivedFiles(
  files: readonly { readonly name: string; readonly text: string }[],
): Promise<Pick<ChangeKitRecord, 'files' | 'archive'>> {
  const archive = await zipFiles(files.map(({ name, text }) => ({ name, bytes: Buffer.from(text) })));
  return { files: files.map((file) => ({ ...file })), archive: archive.toString('base64') };
}

/** Facts about objects that the user may not see would reveal that they exist. */
export function seesWhole(facts: KitFacts | KitRelation, sight: Sight): boolean {
  const ids: string[] = [];
  JSON.stringify(facts, (key, value: unknown) => {
    if (key === 'objectId') ids.push(value as string);
    return value;
  });
  return ids.every((id) => sight.isVisible(id));
}
