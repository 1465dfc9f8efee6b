import type { NodeDefinition } from '../nodeDefinition.ts';

export const AIACA = {
  id: 11,
  platform: 'ad',
  label: 'AIA CA',
  meaning: 'A certificate of a CA, published for others that build chains.',
  look: { letters: 'Ai', shape: 'shield', class: 'certificate', icon: 'ShieldCheck' },
  appearance: { icon: 'fa-arrows-left-right-to-line', color: '#9ad0c2' },
} as const satisfies NodeDefinition;
