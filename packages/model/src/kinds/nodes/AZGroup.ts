import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZGroup = {
  id: 33,
  platform: 'azure',
  label: 'Cloud group',
  meaning: 'A group of a tenant.',
  look: { letters: 'Cg', shape: 'hexagon', class: 'group', icon: 'Users' },
  appearance: { icon: 'fa-users', color: '#c9bf5e' },
} as const satisfies NodeDefinition;
