/** Measures texts in the font of the interface. They are measured again after the font has loaded. */
import { useSyncExternalStore } from 'react';
import type { Measure } from './names.ts';

const FAMILY = '"Inter Variable", Inter, system-ui, sans-serif';
/** Limits the cache in a long session; names repeat. */
const MAX_KEPT = 20_000;
const PLAIN_WIDTH = 7.5;

let context: CanvasRenderingContext2D | null | undefined;
let fontsSeen = 0;
const widths = new Map<string, number>();
const listeners = new Set<() => void>();

export const fontOf = (weight: number, size: number): string => `${weight} ${size}px ${FAMILY}`;

export function measureIn(font: string): Measure {
  return (text) => {
    const key = `${font}\n${text}`;
    let width = widths.get(key);
    if (width === undefined) {
      context ??= typeof document === 'undefined' ? null : document.createElement('canvas').getContext('2d');
      // Without a canvas: approximates the width of capitals.
      if (context === null) return text.length * PLAIN_WIDTH;
      context.font = font;
      width = context.measureText(text).width;
      if (widths.size >= MAX_KEPT) widths.clear();
      widths.set(key, width);
    }
    return width;
  };
}

if (typeof document !== 'undefined')
  void Promise.all([650, 400].map((weight) => document.fonts.load(fontOf(weight, 12)))).then(
    () => {
      widths.clear();
      fontsSeen++;
      for (const listener of listeners) listener();
    },
    () => undefined,
  );

/** @returns a number that changes when texts must be measured again */
export const useFonts = (): number =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => fontsSeen,
  );
