import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZEntraDS = {
  id: 51,
  platform: 'azure',
  label: 'Entra Domain Services',
  meaning: 'A domain that Entra ID manages.',
  look: { letters: 'Ed', shape: 'octagon', class: 'cloud', icon: 'Database' },
  appearance: { icon: 'fa-database', color: '#5fb0c4' },
} as const satisfies NodeDefinition;
