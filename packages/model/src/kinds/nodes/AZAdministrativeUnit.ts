import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZAdministrativeUnit = {
  id: 52,
  platform: 'azure',
  label: 'Administrative unit',
  meaning: 'A part of a tenant for which roles can be assigned.',
  look: { letters: 'Au', shape: 'diamond', class: 'place', icon: 'Network' },
  appearance: { icon: 'fa-object-ungroup', color: '#8fb3c9' },
} as const satisfies NodeDefinition;
