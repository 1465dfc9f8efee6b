import { afterEach, expect, it, vi } from 'vitest';

const stubStorage = (stored: Map<string, string>) =>
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

it('a view is its filters and order, without the page, and is there again after a reload', async () => {
  const stored = new Map<string, string>();
  stubStorage(stored);
  const first = await import('./savedViews.ts');
  expect(first.saveView(' Mine ', '?severity=critical&skip=50&sort=-first_seen')).toBe(true);
  expect(first.saveView('Mine', '?severity=high')).toBe(true);
  expect(first.saveView('  ', '?severity=high')).toBe(false);
  first.saveView('All of it', '');
  first.showColumn({ title: 'Zone' }, false);
  first.showColumn({ title: 'Zone' }, false);
  first.showColumn({ title: 'Target', isExtra: true }, true);
  vi.resetModules();
  const again = await import('./savedViews.ts');
  expect(again.keptViews()).toEqual({
    views: [
      { name: 'All of it', query: '' },
      { name: 'Mine', query: 'severity=high' },
    ],
    without: ['Zone'],
    more: ['Target'],
  });
  expect(again.isShown({ title: 'Target', isExtra: true }, again.keptViews())).toBe(true);
  expect(again.isShown({ title: 'Principal', isExtra: true }, again.keptViews())).toBe(false);
  again.showColumn({ title: 'Target', isExtra: true }, false);
  again.removeView('Mine');
  again.showColumn({ title: 'Zone' }, true);
  expect(again.keptViews()).toEqual({ views: [{ name: 'All of it', query: '' }], without: [], more: [] });
});

it('invalid views in storage are ignored, and their number is limited', async () => {
  stubStorage(
    new Map([
      ['clew.finding-views', '[1, null, {"name":"A"}, {"name":"B","query":"x=1"}]'],
      ['clew.finding-columns', '{"no":"list"}'],
    ]),
  );
  const { keptViews, saveView } = await import('./savedViews.ts');
  expect(keptViews()).toEqual({ views: [{ name: 'B', query: 'x=1' }], without: [], more: [] });
  for (let at = 0; at < 29; at++) expect(saveView(`View ${at}`, '')).toBe(true);
  expect(saveView('One more', '')).toBe(false);
});
