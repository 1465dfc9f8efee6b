import { describe, expect, it } from 'vitest';
import {
  idsOf,
  isSet,
  labelOf,
  labelSet,
  listSet,
  OUTSIDE_SET,
  queryOf,
  querySet,
  setQuery,
  setWords,
  zoneLabel,
} from './endSets.ts';

describe('sets as ends of paths', () => {
  it('are read from the address, which has ids of objects as well', () => {
    for (const set of [
      OUTSIDE_SET,
      '@owned',
      '@tier-zero',
      labelSet('Computer'),
      labelSet(zoneLabel('Tier One')),
      querySet(12),
    ])
      expect(isSet(set)).toBe(true);
    for (const other of [
      undefined,
      '',
      'S-1-5-21-1-2-3-512',
      '@',
      '@label:',
      '@label:A`)--()',
      '@query:x',
      'x@owned',
    ])
      expect(isSet(other)).toBe(false);
  });

  it('have a label or a saved query', () => {
    expect(labelOf('@tier-zero')).toBe('Tag_Tier_Zero');
    expect(labelOf(labelSet(zoneLabel('Tier One')))).toBe('Tag_Tier_One');
    expect(labelOf(querySet(12))).toBeUndefined();
    expect([queryOf(querySet(12)), queryOf('@owned')]).toEqual([12, undefined]);
  });

  it('are shown in words', () => {
    expect(
      ['@owned', '@tier-zero', labelSet('Tag_Tier_One'), labelSet('Computer')].map((set) => setWords(set)),
    ).toEqual([
      'everything marked as owned',
      'any object in Tier Zero',
      'any object in Tier One',
      'any object of type Computer',
    ]);
    expect(setWords(querySet(12), 'Helpdesk')).toBe('results of the query Helpdesk');
  });

  it('are users and computers outside the zone of the other end, and outside Tier Zero', () => {
    const outside = (zone?: string) =>
      setQuery(OUTSIDE_SET, 'S-1-5-21-1-2-3-512', undefined, { zoneLabel: zone });
    expect(outside()).toContain(
      '(s:User OR s:Computer OR s:AZUser OR s:AZServicePrincipal OR s:AZVM) AND NOT s:`Tag_Tier_Zero` AND t.objectid = $to',
    );
    expect(outside('Tag_Tier_One')).toContain('NOT s:`Tag_Tier_Zero` AND NOT s:`Tag_Tier_One`');
  });

  it('are asked for as a label, or by the ids that a query found', () => {
    expect(setQuery(labelSet('Computer'), 'S-1-5-21-1-2-3-512', ['MemberOf'])).toContain(
      'shortestPath((s:`Computer`)-[:MemberOf*1..]->(t))\nWHERE t.objectid = $to',
    );
    expect(setQuery('S-1', querySet(12), undefined)).toContain('s.objectid = $from AND t.objectid IN $to');
    expect(setQuery(listSet(['S-1', 'S-2']), 'S-3', undefined)).toContain(
      's.objectid IN $from AND t.objectid = $to',
    );
  });

  it('are limited to an environment, except for objects that are named', () => {
    const query = setQuery('@owned', listSet(['S-1']), undefined, { isInEnvironment: true });
    expect(query).toContain('(s.domainsid = $env OR s.tenantid = $env OR s.environmentid = $env)');
    expect(query).not.toContain('t.domainsid');
  });

  it('can be pasted objects, with any characters in their ids', () => {
    const ids = ['S-1-5-21-1', '/subscriptions/a,b/c d', '100%'];
    expect(idsOf(listSet(ids))).toEqual(ids);
    expect(setWords(listSet(ids))).toBe('3 pasted objects');
    expect(labelOf(listSet(ids))).toBeUndefined();
    for (const other of ['@list:', '@list:%', '@list:a,,b', '@list:a b', `@list:${'x'.repeat(6001)}`])
      expect(idsOf(other)).toBeUndefined();
  });
});
