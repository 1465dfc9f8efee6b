import type { NodeDefinition } from '../nodeDefinition.ts';

export const CertTemplate = {
  id: 15,
  platform: 'ad',
  label: 'Certificate template',
  meaning:
    'A certificate template: the purpose of its certificates, and the principals that may request them.',
  look: { letters: 'Te', shape: 'document', class: 'certificate', icon: 'ScrollText' },
  appearance: { icon: 'fa-id-card', color: '#b07fc7' },
} as const satisfies NodeDefinition;
