import type { EdgeDefinition, RuleText } from '../edgeDefinition.ts';
import { POLICY_IS_APPLIED } from '../efforts.ts';

export const GPOAppliesTo = {
  id: 87,
  platform: 'ad',
  origin: 'derived',
  traits: ['traversable', 'experimental'],
  category: 'structure',
  phrase: 'applies to',
  meaning: 'The object applies the settings of the policy.',
  removal: 'Remove the link, or filter the policy.',
  effort: POLICY_IS_APPLIED,
} as const satisfies EdgeDefinition;

export const rule: RuleText = {
  when: [
    'GPO → User or Computer that it reaches, or organizational unit below its link that contains only such accounts, if',
    'the link does not represent control of its container (see NotPassedOn). With the feature `gpo_application`,',
    'also GPO → User or Computer to which it applies: linked to the domain or an organizational unit above, unless one in between blocks inheritance and',
    'the link is not enforced. Policy status, security filtering, WMI filters and site links are not',
    'considered. The feature is off, experimental.',
  ],
  source: "release 7.6, withdrawn in 8.0; Clew's own rule where a link does not pass control on.",
  removedBy: 'unlinking the policy.',
};
