import { describe, expect, it } from 'vitest';
import { testScreen } from '../../test/testScreen.ts';
import { Progress } from './progress.ts';
import { widthOf } from './text.ts';

const drawings = (text: string): string[] => text.split('\r\u001b[K').slice(1);
const UNSTYLED = { LANG: 'C.UTF-8', NO_COLOR: '1' };

describe('a progress bar', () => {
  it('fills from left to right', () => {
    const { screen, text } = testScreen({ isTty: true, env: UNSTYLED });
    let now = 0;
    const progress = new Progress(screen, () => now);
    for (const fraction of [0, 0.5, 1]) {
      progress.show({ label: 'Uploading', fraction, detail: `${fraction * 10} MB` });
      now += 1000;
    }
    expect(drawings(text())).toEqual([
      `${'░'.repeat(28)}  Uploading  0 MB`,
      `${'█'.repeat(14)}${'░'.repeat(14)}  Uploading  5 MB`,
      `${'█'.repeat(28)}  Uploading  10 MB`,
    ]);
  });

  it('is drawn at most ten times a second, but always for a new step and at the end', () => {
    const { screen, text } = testScreen({ isTty: true, env: UNSTYLED });
    let now = 0;
    const progress = new Progress(screen, () => now);
    for (let step = 0; step <= 1000; step++) {
      progress.show({ label: step < 900 ? 'one' : 'two', fraction: Math.min(1, step / 1000) });
      now += 1;
    }
    expect(drawings(text())).toHaveLength(9 + 1 + 1);
    expect(drawings(text()).at(-1)).toBe(`${'█'.repeat(28)}  two`);
  });

  it('stays on one line, whatever is written to it', () => {
    const { screen, text } = testScreen({ isTty: true, columns: 50, env: UNSTYLED });
    const progress = new Progress(screen);
    progress.show({ label: 'a\nb\u001b[2J'.repeat(40), detail: 'x'.repeat(90) });
    expect(text()).not.toContain('\n');
    for (const drawing of drawings(text())) expect(widthOf(drawing)).toBeLessThan(50);
  });

  it('moves if the duration is unknown', () => {
    const { screen, text } = testScreen({ isTty: true, env: { LANG: 'C', NO_COLOR: '1' } });
    let now = 0;
    const progress = new Progress(screen, () => now);
    for (let beat = 0; beat < 60; beat++) {
      progress.show({ label: 'Ingesting' });
      now += 100;
    }
    const bars = drawings(text()).map((drawing) => drawing.split('  ')[0] as string);
    expect(bars.every((bar) => bar.length === 28 && /^\.*#{4}\.*$/.test(bar))).toBe(true);
    expect(new Set(bars).size).toBe(25);
  });

  it('leaves a clean line behind', () => {
    const { screen, text } = testScreen({ isTty: true });
    const progress = new Progress(screen);
    progress.show({ label: 'x' });
    progress.clear();
    progress.clear();
    expect(text().endsWith('\r\u001b[K')).toBe(true);
    expect(text().match(/\r/g)).toHaveLength(2);
  });

  it('prints each step once if the screen is not interactive', () => {
    const { screen, text } = testScreen();
    const progress = new Progress(screen);
    for (const fraction of [0, 0.3, 1]) progress.show({ label: 'Uploading', fraction });
    progress.show({ label: 'Ingesting' });
    progress.clear();
    expect(text()).toBe('Uploading\nIngesting\n');
  });
});
