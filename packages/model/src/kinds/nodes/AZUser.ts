import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZUser = {
  id: 32,
  platform: 'azure',
  label: 'Cloud user',
  meaning: 'A user account of a tenant.',
  look: { letters: 'Cu', shape: 'circle', class: 'person', icon: 'User' },
  appearance: { icon: 'fa-user', color: '#4fa48f' },
} as const satisfies NodeDefinition;
