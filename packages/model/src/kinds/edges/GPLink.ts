import type { EdgeDefinition } from '../edgeDefinition.ts';
import { POLICY_IS_APPLIED } from '../efforts.ts';

export const GPLink = {
  id: 3,
  platform: 'ad',
  origin: 'collected',
  traits: ['traversable'],
  category: 'structure',
  phrase: 'is linked to',
  meaning: 'Settings of the policy apply below the object that it is linked to.',
  removal: 'Remove the link of the policy, after its settings are no longer needed there.',
  effort: POLICY_IS_APPLIED,
} as const satisfies EdgeDefinition;
