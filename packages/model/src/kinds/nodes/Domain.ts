import type { NodeDefinition } from '../nodeDefinition.ts';

export const Domain = {
  id: 8,
  platform: 'ad',
  label: 'Domain',
  meaning: 'A domain of Active Directory.',
  look: { letters: 'Do', shape: 'octagon', class: 'place', icon: 'Network' },
  appearance: { icon: 'fa-globe', color: '#4db6ac' },
} as const satisfies NodeDefinition;
