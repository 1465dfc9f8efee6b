import type { NodeDefinition } from '../nodeDefinition.ts';

export const Group = {
  id: 4,
  platform: 'ad',
  label: 'Group',
  meaning: 'A group of a domain, or a well-known group of Windows.',
  look: { letters: 'Gr', shape: 'hexagon', class: 'group', icon: 'Users' },
  appearance: { icon: 'fa-users', color: '#d9c04a' },
} as const satisfies NodeDefinition;
