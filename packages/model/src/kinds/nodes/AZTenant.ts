import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZTenant = {
  id: 31,
  platform: 'azure',
  label: 'Tenant',
  meaning: 'A tenant of Entra ID.',
  look: { letters: 'Tn', shape: 'octagon', class: 'cloud', icon: 'Network' },
  appearance: { icon: 'fa-cloud', color: '#46a7d8' },
} as const satisfies NodeDefinition;
