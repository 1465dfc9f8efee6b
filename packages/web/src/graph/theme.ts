/**
 * Colors of drawings in both themes. They equal the design tokens, which canvases and files cannot read; a test compares them.
 */
import type { NodeClass } from './kinds.ts';

export interface Theme {
  readonly ground: string;
  readonly card: string;
  readonly border: string;
  readonly ink: string;
  readonly quiet: string;
  readonly line: string;
  readonly path: string;
  readonly cut: string;
  readonly lit: string;
  readonly soft: string;
  readonly zone: string;
  readonly classes: Readonly<Record<NodeClass, string>>;
}

export const LIGHT: Theme = {
  ground: '#f5f6f8',
  card: '#ffffff',
  border: '#dfe3e9',
  ink: '#12161c',
  quiet: '#5c6674',
  line: '#838d9b',
  path: '#b8430b',
  cut: '#0b7468',
  lit: '#2443c4',
  soft: '#e6ebfc',
  zone: '#8f3ccb',
  classes: {
    person: '#0a66a8',
    group: '#7d6000',
    machine: '#0a7a5c',
    policy: '#9c3f7b',
    certificate: '#3f6212',
    place: '#a8480a',
    cloud: '#5453b8',
    other: '#5b6470',
  },
};

export const DARK: Theme = {
  ground: '#0b0e13',
  card: '#12161d',
  border: '#262e3a',
  ink: '#eaeef4',
  quiet: '#929dac',
  line: '#6c788a',
  path: '#f5853f',
  cut: '#5be3cd',
  lit: '#8fb4ff',
  soft: '#17264a',
  zone: '#c184e0',
  classes: {
    person: '#70baf3',
    group: '#e0be54',
    machine: '#55d2a8',
    policy: '#f09fcd',
    certificate: '#b3d86a',
    place: '#ffad7c',
    cloud: '#b2b0ff',
    other: '#b6bfca',
  },
};

/** Names of the corresponding tokens. */
export const TOKEN_NAMES: Readonly<Record<Exclude<keyof Theme, 'classes'>, string>> = {
  ground: 'ground',
  card: 'card',
  border: 'line',
  ink: 'ink',
  quiet: 'ink-3',
  line: 'edge',
  path: 'path',
  cut: 'cut',
  lit: 'accent',
  soft: 'accent-soft',
  zone: 'zone',
};

const TINT = 0.13;

/** The fill of a shape: the color of its class over a card. */
export const tinted = (color: string, card: string): string => mixed(color, card, TINT);

/** @returns the color that an opaque painting needs to look like a color with this alpha over a ground */
export function mixed(color: string, ground: string, alpha: number): string {
  const part = (hex: string, at: number): number => Number.parseInt(hex.slice(at, at + 2), 16);
  return `#${[1, 3, 5]
    .map((at) => Math.round(part(color, at) * alpha + part(ground, at) * (1 - alpha)))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`;
}

const isDark = (): boolean => {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
};

export const currentTheme = (): Theme => (isDark() ? DARK : LIGHT);
