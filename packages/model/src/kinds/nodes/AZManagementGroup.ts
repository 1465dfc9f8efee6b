import type { NodeDefinition } from '../nodeDefinition.ts';

export const AZManagementGroup = {
  id: 39,
  platform: 'azure',
  label: 'Management group',
  meaning: 'A group of subscriptions that share role assignments and policies.',
  look: { letters: 'Mg', shape: 'diamond', class: 'place', icon: 'FolderTree' },
  appearance: { icon: 'fa-sitemap', color: '#b58fb0' },
} as const satisfies NodeDefinition;
