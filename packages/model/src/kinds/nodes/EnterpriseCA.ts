import type { NodeDefinition } from '../nodeDefinition.ts';

export const EnterpriseCA = {
  id: 13,
  platform: 'ad',
  label: 'Enterprise CA',
  meaning: 'A CA that issues certificates from templates.',
  look: { letters: 'Ca', shape: 'shield', class: 'certificate', icon: 'ShieldCheck' },
  appearance: { icon: 'fa-building', color: '#5c84c9' },
} as const satisfies NodeDefinition;
