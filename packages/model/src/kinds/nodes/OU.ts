import type { NodeDefinition } from '../nodeDefinition.ts';

export const OU = {
  id: 6,
  platform: 'ad',
  label: 'Organizational unit',
  meaning: 'An organizational unit: a folder of a domain to which policies can be linked.',
  look: { letters: 'Ou', shape: 'diamond', class: 'place', icon: 'Folder' },
  appearance: { icon: 'fa-sitemap', color: '#e6a04e' },
} as const satisfies NodeDefinition;
