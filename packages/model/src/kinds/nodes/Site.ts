import type { NodeDefinition } from '../nodeDefinition.ts';

export const Site = {
  id: 18,
  platform: 'ad',
  label: 'Site',
  meaning: 'A site: subnets that are near each other, to which policies can be linked.',
  look: { letters: 'Si', shape: 'diamond', class: 'place', icon: 'Building' },
  appearance: { icon: 'fa-location-dot', color: '#c9a86a' },
} as const satisfies NodeDefinition;
