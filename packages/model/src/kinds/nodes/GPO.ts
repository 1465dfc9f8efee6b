import type { NodeDefinition } from '../nodeDefinition.ts';

export const GPO = {
  id: 5,
  platform: 'ad',
  label: 'Group Policy Object',
  meaning: 'A Group Policy Object: settings for the users and computers that it is linked above.',
  look: { letters: 'Gp', shape: 'document', class: 'policy', icon: 'SlidersHorizontal' },
  appearance: { icon: 'fa-list', color: '#8f86e0' },
} as const satisfies NodeDefinition;
