/** Named feature switches of rules; each rule has at most one. */
import type { RulesMode } from '@clew/model';

export interface Feature {
  /** Id in the API. Never renumber. */
  readonly id: number;
  readonly name: string;
  readonly default: boolean;
  /** One sentence for the person who decides. */
  readonly description: string;
}

export const FEATURES = [
  {
    id: 1,
    name: 'ntlm_post_processing',
    default: true,
    description: 'Derive the edges for coercion and relay of NTLM authentication.',
  },
  {
    id: 2,
    name: 'adcs_esc9',
    default: true,
    description:
      'Derive ADCSESC9a and ADCSESC9b. Domain controllers with the updates of September 2025 no longer honor ' +
      'weak certificate binding; turn this off when all of them are updated.',
  },
  {
    id: 3,
    name: 'citrix_rdp_support',
    default: true,
    description: 'On Citrix hosts, CanRDP also requires membership in Direct Access Users.',
  },
  // 4 was `rdp_without_user_rights`, which is now the regular way to derive CanRDP.
  {
    id: 5,
    name: 'gpo_application',
    default: false,
    description: 'Derive GPOAppliesTo and CanApplyGPO (experimental; security filtering is not considered).',
  },
  {
    id: 6,
    name: 'containment_edges',
    default: false,
    description: 'Derive ContainsIdentity and PropagatesACEsTo (experimental).',
  },
  {
    id: 7,
    name: 'adcs_esc16',
    default: true,
    description:
      'Derive ADCSESC16: the CA omits the security extension from every certificate (never with CLEW_RULES=parity).',
  },
  {
    id: 8,
    name: 'adcs_esc15',
    default: true,
    description:
      'Derive ADCSESC15 (never with CLEW_RULES=parity). Certification authorities with the update of November 2024 ' +
      '(CVE-2024-49019) ignore application policies in requests; turn this off when all of them are updated.',
  },
] as const satisfies readonly Feature[];

export type FeatureName = (typeof FEATURES)[number]['name'];

/** The public product does not have these. */
const NOT_IN_PARITY: readonly FeatureName[] = ['adcs_esc16', 'adcs_esc15'];

/** @returns the enabled features that apply in this rules mode */
export function featuresIn(rules: RulesMode, features: Iterable<FeatureName>): Set<FeatureName> {
  const all = new Set(features);
  if (rules === 'parity') for (const name of NOT_IN_PARITY) all.delete(name);
  return all;
}

/** @returns the features that are on by default */
export function defaultFeatures(): Set<FeatureName> {
  return new Set(FEATURES.filter((feature) => feature.default).map((feature) => feature.name));
}
