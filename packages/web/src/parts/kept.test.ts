/** Values kept by a tab, with masking, sign-outs and time. A stub replaces the required browser features. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

function stubBrowser() {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
    key: (at: number) => [...stored.keys()][at] ?? null,
    get length() {
      return stored.size;
    },
  };
  const local = new Map<string, string>();
  vi.stubGlobal('sessionStorage', storage);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => local.get(key) ?? null,
    setItem: (key: string, value: string) => void local.set(key, value),
    removeItem: (key: string) => void local.delete(key),
  });
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('document', { querySelector: () => null });
  return stored;
}

// Values that other test files stored in these modules belong to another tab.
beforeEach(() => {
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  vi.resetModules();
});

it('the title of a change to try is kept with its names, and shown without them while they are masked', async () => {
  const stored = stubBrowser();
  vi.useFakeTimers();
  const { addToBasket, shownTitle } = await import('./basket.ts');
  const { learnNames, setMasked } = await import('../text/masking.ts');
  const request = { remove: [{ source_id: 'S-1', kind: 'GenericAll', target_id: 'S-1-5-21-1-2-3-1105' }] };
  const item = { title: 'Remove GenericAll on VAULT OPERATORS from Field staff (north)', request };
  setMasked(true);
  addToBasket(item.request, item);
  // No answer of this page contained these names.
  expect(shownTitle(item)).toBe('Remove GenericAll on S-1-5-21-… from S-1');
  learnNames({ object_id: 'S-1', name: 'Field staff (north)', kind: 'Group' }, String);
  expect(shownTitle(item)).toBe('Remove GenericAll on S-1-5-21-… from Group 1');
  setMasked(false);
  expect(shownTitle(item)).toBe(item.title);
  expect(stored.get('clew.basket')).toContain('VAULT OPERATORS');
});

it('a title that is kept is never a pseudonym', async () => {
  stubBrowser();
  const { setMasked, learnName } = await import('../text/masking.ts');
  const { plainName, plainNode } = await import('../graph/model.ts');
  setMasked(true);
  learnName('VAULT OPERATORS', 'Group');
  const node = plainNode({ object_id: 'G-1', name: 'VAULT OPERATORS', kind: 'Group' });
  expect(node.name).toBe('Group 1');
  expect(plainName({ nodes: new Map([['G-1', node]]), edges: [] }, 'G-1')).toBe('VAULT OPERATORS');
});

it('drafts, queries and changes to try outlast a session that expires, and neither a sign-out nor another user', async () => {
  const stored = stubBrowser();
  const { keepFor } = await import('../service/kept.ts');
  const { beginSession, endSession } = await import('../service/session.ts');
  const left = () => [...stored.keys()].filter((key) => key !== 'clew.user').sort();
  const work = () => {
    stored.set('clew.draft ada accept 12', 'Half a sentence');
    stored.set('clew.queries ada', '[]');
    stored.set('clew.basket', '[]');
    stored.set('clew.masked', 'yes');
  };
  beginSession('one');
  keepFor('ada');
  work();
  endSession('expired');
  beginSession('two');
  keepFor('ada');
  expect(left()).toEqual(['clew.basket', 'clew.draft ada accept 12', 'clew.masked', 'clew.queries ada']);
  endSession('signedOut');
  expect(left()).toEqual(['clew.masked']);
  beginSession('three');
  keepFor('ada');
  work();
  endSession('expired');
  beginSession('four');
  keepFor('bob');
  expect(left()).toEqual(['clew.masked']);
});

it('a notice that was held by the pointer goes once the pointer has left', async () => {
  stubBrowser();
  vi.useFakeTimers();
  let isHeld = true;
  vi.stubGlobal('document', { querySelector: () => ({ matches: () => isHeld }) });
  const { notify, shownNotices } = await import('./notices.ts');
  notify('Copied');
  vi.advanceTimersByTime(20_000);
  expect(shownNotices()).toHaveLength(1);
  isHeld = false;
  vi.advanceTimersByTime(10_000);
  expect(shownNotices()).toEqual([]);
});
