/**
 * Selects the flaws of a tenant. In shapes 1 and 2, it has all of them. In shape 3, they are drawn from the seed: each kind has a
 * probability, and if a tenant has the kind, each occurrence exists with a fixed probability. An organization without flaws makes the same
 * draws, so that the other contents of its tenant, which depend on them, stay the same.
 */
import { below } from '../random.ts';
import { type TenantPlan, tenantGuid, tenantStream } from './tenantPlan.ts';

/** Kinds of flaws, with the probability that a tenant of shape 3 has them. */
const CHANCES = {
  /** An application may grant itself roles. */
  'application-permission': 0.75,
  /** An everyday account owns such an application. */
  'application-owner': 0.7,
  /** An everyday account has a role. */
  'everyday-role': 0.7,
  /** An everyday account may activate the highest role. */
  'everyday-activation': 0.4,
  /** A team has rights on a subscription in which such an application runs. */
  'team-owns-subscription': 0.6,
  /** A team has rights on a resource group in which such an application runs. */
  'team-contributes': 0.6,
  /** An everyday account may grant rights on a subscription. */
  'person-grants-rights': 0.5,
} as const;

export type TenantFlaw = keyof typeof CHANCES;

const SHARE_OF_OCCURRENCES = 0.7;

/** @param occurrence its number among the places where the flaw can occur @returns whether the tenant with its flaws has it there */
export function isDrawn(plan: TenantPlan, flaw: TenantFlaw, occurrence: number): boolean {
  if (plan.domain.shape !== 3) return true;
  const draw = tenantStream(plan, `flaw/${flaw}`);
  return draw(0) < CHANCES[flaw] && draw(1 + occurrence) < SHARE_OF_OCCURRENCES;
}

/** @returns whether this organization has the flaw there; an organization without flaws has none */
export const hasTenantFlaw = (plan: TenantPlan, flaw: TenantFlaw, occurrence: number): boolean =>
  plan.domain.hasFlaws && isDrawn(plan, flaw, occurrence);

/** @param usual number of the person in shapes 1 and 2 @returns the id of the everyday account of an occurrence */
export function everydayAccount(plan: TenantPlan, flaw: TenantFlaw, usual: number): string {
  const { syncedUser } = plan.counts;
  const person =
    plan.domain.shape === 3 ? below(syncedUser, tenantStream(plan, `flaw/${flaw}/person`)(usual)) : usual;
  return tenantGuid(plan, 'syncedUser', person % syncedUser);
}
