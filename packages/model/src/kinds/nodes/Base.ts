import type { NodeDefinition } from '../nodeDefinition.ts';

export const Base = {
  id: 1,
  platform: 'ad',
  label: 'Object',
  meaning: 'An object of Active Directory whose type was not collected.',
  look: { letters: 'Ob', shape: 'square', class: 'other', icon: 'CircleDot' },
  appearance: { icon: 'fa-question', color: '#e0e0e0' },
} as const satisfies NodeDefinition;
