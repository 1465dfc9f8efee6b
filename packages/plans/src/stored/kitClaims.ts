/** Claims of the files of kits about changes of a started plan: which runs belong to which changes. Rule: `docs/plan.md#transcripts-and-backups`. */
import type { PlanClaim } from '@clew/api';
import { type KitRun, propertyDigest, relationDigest, valueDigest } from '@clew/kits';
import type { ChangeFacts, StartedPlan } from '../tasks/startedFacts.ts';

/** A file says this about a change, as stored. */
export type StoredClaim = Omit<PlanClaim, 'verdict' | 'text'>;

/** Maximum number of claims of a file. */
const MAX_CLAIMS = 200;

interface KnownFact {
  readonly change: number;
  /** Digest of the value before; null for relationships. */
  readonly old: string | null;
}

/**
 * A run belongs to each change with one of its facts: several changes of a plan may end the same relationship.
 * @returns the last run of each mode for each change, in the order of the file
 */
export function claimsOf(runs: readonly KitRun[], plan: StartedPlan): StoredClaim[] {
  const known = knownFacts(plan);
  const last = new Map<string, StoredClaim>();
  for (const { facts, change: _, ...run } of runs) {
    const found = facts.flatMap(({ fact, old }) =>
      (known.get(fact) ?? []).map((one) => ({
        change: one.change,
        isOther: old !== null && one.old !== null && old !== one.old,
      })),
    );
    for (const [change, some] of Map.groupBy(found, (one) => one.change)) {
      const key = `${run.mode} ${change}`;
      // The place of a map is that of the first one.
      last.delete(key);
      last.set(key, {
        ...{ ...run, saved: [...run.saved], change },
        at: `${run.at.slice(0, -1)}.000000Z`,
        other_before: some.some(({ isOther }) => isOther),
      });
    }
  }
  return [...last.values()].slice(-MAX_CLAIMS);
}

function knownFacts({ packages }: StartedPlan): ReadonlyMap<string, readonly KnownFact[]> {
  const known = new Map<string, KnownFact[]>();
  const changes = packages.flatMap((one) => one.changes);
  for (const [at, facts] of changes.entries())
    for (const [fact, old] of digestsOf(facts)) {
      const others = known.get(fact);
      if (others === undefined) known.set(fact, [{ change: at + 1, old }]);
      else others.push({ change: at + 1, old });
    }
  return known;
}

const digestsOf = ({ removed, properties }: ChangeFacts): (readonly [fact: string, old: string | null])[] => [
  ...removed.map(({ start, kind, end }) => [relationDigest(start, kind, end), null] as const),
  ...properties.map(({ object_id, key, old }) => [propertyDigest(object_id, key), valueDigest(old)] as const),
];
