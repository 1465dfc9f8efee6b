import type { NodeDefinition } from '../nodeDefinition.ts';

export const SiteSubnet = {
  id: 19,
  platform: 'ad',
  label: 'Subnet of a site',
  meaning: 'A range of addresses of a site.',
  look: { letters: 'Sn', shape: 'diamond', class: 'place', icon: 'Link2' },
  appearance: { icon: 'fa-network-wired', color: '#bfae86' },
} as const satisfies NodeDefinition;
