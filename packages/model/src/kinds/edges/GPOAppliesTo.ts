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
    'GPO → User or Computer that it reaches, or unit below its link that holds such accounts alone, where',
    'the link does not stand for control of its place (see NotPassedOn). With the feature `gpo_application`',
    'also GPO → User or Computer that it takes effect on: linked to the domain or a unit above, unless a unit in between blocks inheritance and',
    'the link is not enforced. Policy status, security filtering, WMI filters and site links are not',
    'considered. The feature is off, experimental.',
  ],
  source: 'release 7.6, withdrawn in 8.0; ours where a link does not pass control on.',
  removedBy: 'unlinking the policy.',
};
