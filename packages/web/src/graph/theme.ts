/** Colours of drawings in both themes. Held to their contrasts by a test. */
import { CLASS_COLOURS, type ClassColour } from './kinds.ts';

export interface Theme {
  readonly ground: string;
  readonly ink: string;
  readonly quiet: string;
  readonly line: string;
  readonly marked: string;
  readonly lit: string;
  readonly tierZero: string;
  readonly owned: string;
  readonly classes: Readonly<Record<ClassColour, string>>;
}

export const LIGHT: Theme = {
  ground: '#ffffff',
  ink: '#17202a',
  quiet: '#56606b',
  line: '#6b7683',
  marked: '#b3261e',
  lit: '#0b5cad',
  tierZero: '#a32020',
  owned: '#6a1b9a',
  classes: CLASS_COLOURS,
};

export const DARK: Theme = {
  ground: '#12171d',
  ink: '#e8edf2',
  quiet: '#a7b2be',
  line: '#8793a1',
  marked: '#ff8a80',
  lit: '#7cc0ff',
  tierZero: '#c0392b',
  owned: '#8e44ad',
  classes: CLASS_COLOURS,
};

const isDark = (): boolean => {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
};

export const currentTheme = (): Theme => (isDark() ? DARK : LIGHT);
