import type { NodeDefinition } from '../nodeDefinition.ts';

export const SiteServer = {
  id: 17,
  platform: 'ad',
  label: 'Site server',
  meaning: 'The object of a domain controller in a site.',
  look: { letters: 'Ss', shape: 'square', class: 'machine', icon: 'Server' },
  appearance: { icon: 'fa-server', color: '#d59a8f' },
} as const satisfies NodeDefinition;
