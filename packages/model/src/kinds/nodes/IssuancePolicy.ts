import type { NodeDefinition } from '../nodeDefinition.ts';

export const IssuancePolicy = {
  id: 16,
  platform: 'ad',
  label: 'Issuance policy',
  meaning: 'An issuance policy that certificates carry.',
  look: { letters: 'Ip', shape: 'document', class: 'certificate', icon: 'ScrollText' },
  appearance: { icon: 'fa-clipboard-check', color: '#96a5c4' },
} as const satisfies NodeDefinition;
