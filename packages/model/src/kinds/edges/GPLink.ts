import type { EdgeDefinition } from '../edgeDefinition.ts';
import { POLICY_IS_APPLIED } from '../efforts.ts';

export const GPLink = {
  id: 3,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable'],
  category: 'structure',
  phrase: 'is linked to',
  meaning: 'Settings of the policy apply below the place that it is linked to.',
  removal: 'Remove the link of the policy, once its settings are not needed there.',
  effort: POLICY_IS_APPLIED,
} as const satisfies EdgeDefinition;
