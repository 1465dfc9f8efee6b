/**
 * Organizations in which few changes are known to help, found with programs that share no code with this one: the plan has to leave as few
 * exposed, with no more changes or no more work packages.
 */
import { wholePlan } from '@clew/planning';
import { type Generated, generated, type Organization } from './organizations.ts';
import { readWorld, TIER_ZERO } from './reading.ts';

interface SmallSet {
  readonly organization: Organization;
  readonly changes: number;
  /** Number of work packages with the same effect; a package may contain changes that another does not need. */
  readonly packages?: number;
  /** Number of exposed principals afterward. */
  readonly exposed: number;
}

const KNOWN: readonly (Generated & {
  readonly changes: number;
  readonly packages: number;
  readonly exposed: number;
})[] = [
  // LDAP signing of two domains, channel binding of three, web enrollment of one authority.
  { users: 8000, seed: 20, domains: 6, shape: 2, changes: 6, packages: 3, exposed: 5178 },
  // Settings of the same kind; six others leave 608.
  { users: 1200, seed: 31, domains: 6, shape: 2, changes: 7, packages: 3, exposed: 623 },
  { users: 10_000, seed: 22, domains: 20, shape: 2, changes: 12, packages: 3, exposed: 4967 },
];

/** @param sample the public sample collection: of 92 exposed, 4 changes leave 20 */
export const smallSets = (sample: Organization | undefined): SmallSet[] => [
  ...(sample === undefined ? [] : [{ organization: sample, changes: 4, packages: 4, exposed: 20 }]),
  ...KNOWN.map(({ changes, packages, exposed, ...options }) => ({
    organization: generated(options),
    changes,
    packages,
    exposed,
  })),
];

export interface SmallSetResult {
  readonly name: string;
  readonly known: { readonly changes: number; readonly packages?: number; readonly exposed: number };
  /** The number of exposed principals after the plan with no more changes or packages, and their number. */
  readonly exposed: number;
  readonly changes: number;
  readonly packages: number;
  /** Number of changes after which the plan leaves as few principals exposed. */
  readonly changesNeeded: number | undefined;
  readonly isReached: boolean;
}

export async function checkSmallSet({ organization, ...known }: SmallSet): Promise<SmallSetResult> {
  const plan = wholePlan(await readWorld(await organization.files()), { zone: TIER_ZERO });
  if (plan === undefined) throw new Error(`${organization.name}: no plan exists`);
  let best = { exposed: plan.before.reduce((sum, one) => sum + one.exposed, 0), changes: 0, packages: 0 };
  let changes = 0;
  let packages = 0;
  let changesNeeded: number | undefined;
  for (const card of plan.cards) {
    changes += card.packages.reduce((sum, each) => sum + each.repairs.length, 0);
    packages += card.packages.length;
    if (changes <= known.changes || packages <= (known.packages ?? 0))
      best = { exposed: card.exposedAfter, changes, packages };
    if (card.exposedAfter <= known.exposed) changesNeeded ??= changes;
  }
  return { name: organization.name, known, ...best, changesNeeded, isReached: best.exposed <= known.exposed };
}
