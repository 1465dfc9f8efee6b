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

it('columns are those that were chosen, also after a reload, and those of a view that is opened', async () => {
  stubStorage(new Map());
  const first = await import('./columns.ts');
  expect(first.shownColumns()).toBeNull();
  first.showColumn({ title: 'Zone' }, false);
  first.showColumn({ title: 'Zone' }, false);
  first.showColumn({ title: 'Target', isExtra: true }, true);
  const shown = ['Target', 'Exposure', 'Repair', 'Age', 'Due', 'Owner', 'State'];
  expect(first.shownColumns()).toEqual(shown);
  vi.resetModules();
  const again = await import('./columns.ts');
  expect(again.keptColumns()).toEqual({ without: ['Zone'], more: ['Target'] });
  expect(again.isShown({ title: 'Principal', isExtra: true }, again.keptColumns())).toBe(false);
  again.showColumns(null);
  expect(again.shownColumns()).toBeNull();
  again.showColumns([...shown, 'A column of the past']);
  expect(again.keptColumns()).toEqual({ without: ['Zone'], more: ['Target'] });
  again.showColumns([]);
  expect(again.shownColumns()).toEqual([]);
});

it('invalid views that a browser kept are ignored', async () => {
  stubStorage(
    new Map([
      ['clew.finding-views', '[1, null, {"name":"A"}, {"name":" ","query":""}, {"name":"B","query":"x=1"}]'],
      ['clew.finding-columns', '{"no":"list"}'],
    ]),
  );
  const { oldViews } = await import('./savedViews.ts');
  expect(oldViews()).toEqual([{ name: 'B', query: 'x=1' }]);
  expect((await import('./columns.ts')).keptColumns()).toEqual({ without: [], more: [] });
});

it('filters that mean what no longer exists are named', async () => {
  const { lostFilters } = await import('./savedViews.ts');
  const known = {
    types: new Set(['DCSync']),
    zones: new Set(['1', '4']),
    environments: new Set(['S-1']),
    owners: new Set(['a']),
  };
  const names = (search: string, of: Parameters<typeof lostFilters>[1] = known) =>
    lostFilters(search, of).map(({ name }) => name);
  expect(
    names('type=DCSync&zone=4&env=S-1&owner=a&severity=high&status=accepted&sort=title&skip=50'),
  ).toEqual([]);
  expect(names('owner=me&zone=0&view=type&text=x&about=y&new=7')).toEqual([]);
  const all = 'type=Old&zone=9&env=S-2&owner=b&severity=awful&status=lost&bygone=1';
  expect(names(all)).toEqual(['type', 'zone', 'env', 'owner', 'severity', 'status', 'bygone']);
  // Before the lists have loaded, no filter counts as lost.
  expect(names(all, {})).toEqual(['severity', 'status', 'bygone']);
});
