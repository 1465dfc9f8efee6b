import type { NodeDefinition } from '../nodeDefinition.ts';

export const Computer = {
  id: 3,
  platform: 'ad',
  label: 'Computer',
  meaning: 'A computer account of a domain.',
  look: { letters: 'Pc', shape: 'square', class: 'machine', icon: 'Monitor' },
  appearance: { icon: 'fa-desktop', color: '#e2736a' },
} as const satisfies NodeDefinition;
