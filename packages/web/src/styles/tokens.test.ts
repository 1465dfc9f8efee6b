/**
 * Tests the accessibility of the design: legible texts, visible edges, and series that are distinguishable with any color vision.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DARK, LIGHT, TOKEN_NAMES } from '../graph/theme.ts';

type Rgb = readonly [r: number, g: number, b: number];

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const colors = [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)];
const tokens = {
  light: new Map(colors.map(([, name, light]) => [name, light])),
  dark: new Map(colors.map(([, name, , dark]) => [name, dark])),
};

/** Linear RGB components of a color. */
const linear = (hex: string): Rgb => {
  const part = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
};

const luminance = ([r, g, b]: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;

function contrast(one: string, other: string): number {
  const [high, low] = [luminance(linear(one)), luminance(linear(other))].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function oklab([r, g, b]: Rgb): Rgb {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Color vision deficiencies: Machado, Oliveira and Fernandes (2009), severity 1, on linear components. */
const VISIONS: Readonly<Record<string, readonly Rgb[]>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'without red cones': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'without green cones': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  'without blue cones': [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function seen(hex: string, matrix: readonly Rgb[]): Rgb {
  const parts = linear(hex);
  const mixed = matrix.map((row) => row.reduce((sum, weight, at) => sum + weight * parts[at]!, 0));
  return mixed.map((part) => Math.min(1, Math.max(0, part))) as unknown as Rgb;
}

const distance = (one: string, other: string, matrix: readonly Rgb[]): number => {
  const [a, b] = [oklab(seen(one, matrix)), oklab(seen(other, matrix))];
  return 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
};

const GROUNDS = ['ground', 'card', 'raised'];
const TEXTS = [
  ...['ink', 'ink-2', 'ink-3', 'accent', 'path', 'cut', 'zone', 'warn'],
  ...['critical', 'high', 'moderate', 'low'],
  ...['person', 'group', 'machine', 'policy', 'certificate', 'place', 'cloud', 'other'],
];
const SERIES = ['d1', 'd2', 'd3', 'd4', 'd5', 'd6'];
/** Minimum distance of any two, as measured for the design; smaller distances are not distinguishable at a glance. */
const MIN_DISTANCE = 9;

describe.each(['light', 'dark'] as const)('tokens in %s', (theme) => {
  const of = (name: string): string => {
    const value = tokens[theme].get(name);
    if (value === undefined) throw new Error(`unknown token ${name}`);
    return value;
  };

  it('texts can be read on every ground', () => {
    for (const text of TEXTS)
      for (const ground of GROUNDS)
        expect([text, ground, contrast(of(text), of(ground)) >= 4.5]).toEqual([text, ground, true]);
    for (const [text, ground] of [
      ['on-accent', 'accent'],
      ['accent', 'accent-soft'],
      ['path', 'path-soft'],
      ['cut', 'cut-soft'],
      ['zone', 'zone-soft'],
      ['warn', 'warn-soft'],
    ] as const)
      expect([text, ground, contrast(of(text), of(ground)) >= 4.5]).toEqual([text, ground, true]);
  });

  it('drawings have the same colors', () => {
    const { classes, ...colors } = theme === 'light' ? LIGHT : DARK;
    for (const [name, token] of Object.entries(TOKEN_NAMES))
      expect([name, colors[name as keyof typeof colors]]).toEqual([name, of(token)]);
    for (const [name, color] of Object.entries(classes)) expect([name, color]).toEqual([name, of(name)]);
  });

  it('edges of controls and lines of charts can be seen', () => {
    // Controls occur on the page and on cards.
    for (const ground of ['ground', 'card'])
      expect([ground, contrast(of('edge'), of(ground)) >= 3]).toEqual([ground, true]);
    for (const line of SERIES) expect([line, contrast(of(line), of('card')) >= 3]).toEqual([line, true]);
  });

  it.each(Object.entries(VISIONS))('series can be distinguished, cones: %s', (_, matrix) => {
    for (const [at, one] of SERIES.entries())
      for (const other of SERIES.slice(at + 1))
        expect([one, other, distance(of(one), of(other), matrix) >= MIN_DISTANCE]).toEqual([
          one,
          other,
          true,
        ]);
  });

  it.each(Object.entries(VISIONS))('a path can be distinguished from its cut, cones: %s', (_, matrix) => {
    expect(distance(of('path'), of('cut'), matrix)).toBeGreaterThanOrEqual(MIN_DISTANCE);
  });
});
