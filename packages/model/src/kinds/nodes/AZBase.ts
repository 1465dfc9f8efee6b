import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZBase = {
  id: 30,
  platform: 'azure',
  label: 'Cloud object',
  meaning: 'An object of Entra ID or Azure whose type was not collected.',
  look: { letters: 'Co', shape: 'cloud', class: 'cloud', icon: 'Cloud' },
  appearance: { icon: 'fa-question', color: '#e0e0e0' },
} as const satisfies NodeDefinition;
