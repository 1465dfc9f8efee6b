import { describe, expect, it } from 'vitest';
import { PrincipalCache } from './principalCache.ts';

describe('the cache of principals', () => {
  it('distinguishes ids for which files report different kinds', () => {
    const cache = new PrincipalCache();
    for (const [type, kind] of [
      ['Group', 'Group'],
      ['User', 'User'],
      ['Group', 'Group'],
      [undefined, 'Base'],
      [7, 'Base'],
    ] as const) {
      expect(cache.of('cn=a', type)).toEqual({ id: 'CN=A', kind });
    }
  });

  it('returns the same principal for the same text', () => {
    const cache = new PrincipalCache();
    expect(cache.of('s-1', 'User')).toBe(cache.of(['s', '1'].join('-'), 'User'));
  });

  it('replaces entries instead of growing without limit', () => {
    const cache = new PrincipalCache();
    const first = cache.of('first', 'User');
    for (let n = 0; n < 20_000; n++) expect(cache.of(`s-${n}`, 'User').id).toBe(`S-${n}`);
    expect(cache.of('first', 'User')).not.toBe(first);
    expect(cache.of('first', 'User')).toEqual(first);
  });
});
