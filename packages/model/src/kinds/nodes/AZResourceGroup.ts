import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZResourceGroup = {
  id: 41,
  platform: 'azure',
  label: 'Resource group',
  meaning: 'A group of resources of a subscription.',
  look: { letters: 'Rg', shape: 'diamond', class: 'place', icon: 'Boxes' },
  appearance: { icon: 'fa-cube', color: '#8fb59a' },
} as const satisfies NodeDefinition;
