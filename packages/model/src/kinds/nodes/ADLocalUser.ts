import type { NodeDefinition } from '../nodeDefinition.ts';

export const ADLocalUser = {
  id: 10,
  platform: 'ad',
  label: 'Local user',
  meaning: 'A user account that exists on one computer.',
  look: { letters: 'Lu', shape: 'circle', class: 'person', icon: 'User' },
  appearance: { icon: 'fa-user', color: '#7f9c6b' },
} as const satisfies NodeDefinition;
