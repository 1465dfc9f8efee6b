import type { EdgeDefinition } from '../edgeDefinition.ts';

export const OIDGroupLink = {
  id: 63,
  platform: 'ad',
  origin: 'both',
  traits: [],
  category: 'certificates',
  phrase: 'is linked to the group',
  meaning: 'A certificate with the policy gives the rights of the group: see ADCSESC13.',
  removal: 'Remove the link from the policy to the group.',
} as const satisfies EdgeDefinition;
