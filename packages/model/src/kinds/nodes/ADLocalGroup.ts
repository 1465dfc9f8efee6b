import type { NodeDefinition } from '../nodeDefinition.ts';

export const ADLocalGroup = {
  id: 9,
  platform: 'ad',
  label: 'Local group',
  meaning: 'A group that exists on one computer.',
  look: { letters: 'Lg', shape: 'hexagon', class: 'group', icon: 'Users' },
  appearance: { icon: 'fa-users', color: '#b39a5b' },
} as const satisfies NodeDefinition;
