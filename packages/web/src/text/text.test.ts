import { formatShare, parseJson } from '@clew/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText, shortText, valueText } from './cleanText.ts';
import { csvText } from './csv.ts';
import { counted, formatAge, formatBytes, propertyText } from './formats.ts';

describe('names of others', () => {
  it('show invisible characters as their code', () => {
    expect(cleanText('a\u202eb')).toBe('a‹202E›b');
    expect(cleanText('a\u200bb\u0000c\n')).toBe('a‹200B›b‹0000›c‹000A›');
    expect(cleanText('\u{e0041}')).toBe('‹E0041›');
    expect(cleanText('<script>alert(1)</script>')).toBe('<script>alert(1)</script>');
  });

  it('keep emoji whole', () => {
    expect(cleanText('👩‍💻 👩🏽‍🚒')).toBe('👩‍💻 👩🏽‍🚒');
    expect(cleanText('a\u200db')).toBe('a‹200D›b');
  });

  it('have no character left that hides or turns text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(cleanText(text)).not.toMatch(
          /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f]/,
        );
      }),
    );
  });

  it('are cut between characters', () => {
    expect(shortText('a'.repeat(10), 5)).toBe('aaaa…');
    expect(shortText('😀😀😀', 4)).toBe('😀…');
  });
});

it('numbers and times read as people write them', () => {
  expect([
    formatShare(0),
    formatShare(0.0004),
    formatShare(0.058),
    formatShare(0.9999),
    formatShare(1),
  ]).toEqual(['0%', '0.1%', '5.8%', '99.9%', '100%']);
  expect([counted(1, 'object'), counted(1234, 'object')]).toEqual(['1 object', '1,234 objects']);
  const now = Date.parse('2026-11-24T12:00:00Z');
  expect(formatAge('2026-11-21T11:00:00Z', now)).toBe('3 days ago');
  expect(formatAge('2026-11-24T14:30:00Z', now)).toBe('in 2 hours');
  expect(formatAge('0001-01-01T00:00:00Z', now)).toBe('never');
  expect(formatBytes(2_500_000)).toBe('2.5 MB');
});

it('tables as CSV hold no formula', () => {
  expect(csvText(['a'], [['=1+1'], [['x', 'y']], [null]])).toBe('a\r\n"\'=1+1"\r\n"x, y"\r\n\r\n');
});

describe('values of properties', () => {
  it('are times where they can be, and digits where they cannot', () => {
    expect(propertyText('lastlogon', 1_700_000_000)).toContain('2023');
    for (const text of ['134400570003280569', '9007199254740991']) {
      const value = parseJson(text);
      expect(propertyText('lastlogon', value)).toBeUndefined();
      expect(valueText(value)).toBe(text);
      expect(valueText([value, { value }])).toBe(`${text}, {"value":${text}}`);
    }
  });
});
