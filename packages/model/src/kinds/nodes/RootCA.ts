import type { NodeDefinition } from '../nodeDefinition.ts';

export const RootCA = {
  id: 12,
  platform: 'ad',
  label: 'Root CA',
  meaning: 'A root CA that a forest trusts.',
  look: { letters: 'Rc', shape: 'shield', class: 'certificate', icon: 'ShieldCheck' },
  appearance: { icon: 'fa-landmark', color: '#6f9bd8' },
} as const satisfies NodeDefinition;
