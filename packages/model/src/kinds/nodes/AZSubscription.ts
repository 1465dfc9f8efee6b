import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZSubscription = {
  id: 40,
  platform: 'azure',
  label: 'Subscription',
  meaning: 'A subscription of Azure.',
  look: { letters: 'Su', shape: 'diamond', class: 'place', icon: 'CreditCard' },
  appearance: { icon: 'fa-key', color: '#c7b36b' },
} as const satisfies NodeDefinition;
