/** Appearance of kinds in graph answers: an icon name and a color. Clients with their own icons use the kind. */
import { NODE_DEFINITIONS } from '@clew/model';

export interface Appearance {
  readonly icon: string;
  readonly color: string;
}

const UNKNOWN: Appearance = { icon: 'fa-question', color: '#e0e0e0' };

const APPEARANCES: ReadonlyMap<string, Appearance> = new Map<string, Appearance>([
  ...NODE_DEFINITIONS.map(([name, { appearance }]) => [name, appearance] as const),
  // Combined nodes.
  ['Meta', { icon: 'fa-layer-group', color: '#7a8794' }],
]);

export function appearanceOf(label: string): Appearance {
  return APPEARANCES.get(label) ?? UNKNOWN;
}
