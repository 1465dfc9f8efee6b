import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZRole = {
  id: 38,
  platform: 'azure',
  label: 'Role',
  meaning: 'A role of Entra ID.',
  look: { letters: 'Ro', shape: 'document', class: 'policy', icon: 'IdCard' },
  appearance: { icon: 'fa-clipboard-list', color: '#d99a6c' },
} as const satisfies NodeDefinition;
