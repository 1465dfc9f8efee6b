import { afterEach, expect, test } from 'vitest';
import { hasKeys, learnDomains, realSearch, realText, shownAddress } from './addressKeys.ts';
import { setMasked } from './masking.ts';

learnDomains([
  { id: 'S-1-5-21-1-2-3', name: 'PHANTOM.CORP' },
  { id: '6c12b0b0-b2cc-4a73-8252-0b94bfca2145', name: 'Phantom' },
]);
afterEach(() => setMasked(false));

const EVERYONE = 'PHANTOM.CORP-S-1-1-0';
const AUTHENTICATED = 'PHANTOM.CORP-S-1-5-11';
const KEY = 'S-1-5-21-1-2-3~S-1-5-11';

const search = (parameters: Record<string, string>): string => new URLSearchParams(parameters).toString();

test('addresses of masked pages have no name of a domain, and lead to the same objects', () => {
  const target = `/explore?${search({ object: AUTHENTICATED, with: `Group~near~${AUTHENTICATED}`, zone: '1' })}`;
  expect(shownAddress(target)).toBe(target);
  setMasked(true);
  const shown = shownAddress(target);
  expect(decodeURIComponent(shown)).not.toMatch(/phantom/i);
  expect(shown).toContain(search({ object: KEY }));
  expect(realSearch(shown.slice(shown.indexOf('?') + 1))).toBe(target.slice(target.indexOf('?') + 1));
  // Anyone who opens the link sees real names.
  setMasked(false);
  expect(realSearch(search({ object: KEY }))).toBe(search({ object: AUTHENTICATED }));
});

test('several ids in one value, and ids of built-in groups, are keys', () => {
  setMasked(true);
  const value = `${AUTHENTICATED} GenericAll ${EVERYONE}`;
  expect(shownAddress(`/explore?${search({ selected: value })}`)).toBe(
    `/explore?${search({ selected: `${KEY} GenericAll S-1-5-21-1-2-3~S-1-1-0` })}`,
  );
});

test('a query is shown with keys, and sent with real ids', () => {
  const query = (id: string) => `MATCH (n {objectid: '${id}'}) RETURN n`;
  setMasked(true);
  const shown = shownAddress(`/explore?${search({ q: query(AUTHENTICATED) })}`);
  expect(shown).toBe(`/explore?${search({ q: query(KEY) })}`);
  expect(realSearch(search({ q: query(KEY) }))).toBe(search({ q: query(KEY) }));
  expect(realText(query(KEY))).toBe(query(AUTHENTICATED));
  setMasked(false);
  expect(realSearch(search({ q: query(KEY) }))).toBe(search({ q: query(AUTHENTICATED) }));
});

test('ids without a name, and domains that are not known stay', () => {
  setMasked(true);
  for (const target of [
    `/explore?${search({ object: 'S-1-5-21-1-2-3-512' })}`,
    `/explore?${search({ object: 'OTHER.CORP-S-1-5-11' })}`,
    '/fix',
  ])
    expect(shownAddress(target)).toBe(target);
  expect(hasKeys(search({ object: KEY }))).toBe(true);
  expect(hasKeys(search({ object: 'S-1-5-21-1-2-3-512', with: 'User~near~S-1-5-21-1-2-3-500' }))).toBe(false);
});
