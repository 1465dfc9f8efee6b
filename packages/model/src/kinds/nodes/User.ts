import type { NodeDefinition } from '../nodeDefinition.ts';

export const User = {
  id: 2,
  platform: 'ad',
  label: 'User',
  meaning: 'A user account of a domain, or a managed service account.',
  look: { letters: 'Us', shape: 'circle', class: 'person', icon: 'User' },
  appearance: { icon: 'fa-user', color: '#4caf72' },
} as const satisfies NodeDefinition;
