import { describe, expect, it } from 'vitest';
import { earlier, instantOf, later } from './instants.ts';

describe('an instant', () => {
  it.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000000000Z'],
    ['2026-01-02T03:04:05.5Z', '2026-01-02T03:04:05.500000000Z'],
    ['2026-01-02T03:04:05.123456Z', '2026-01-02T03:04:05.123456000Z'],
    ['2026-01-02T03:04:05.1234567891Z', '2026-01-02T03:04:05.123456789Z'],
    ['2026-01-02T05:04:05.25+02:00', '2026-01-02T03:04:05.250000000Z'],
    ['2026-13-02T03:04:05Z', ''],
    ['yesterday', ''],
  ])('of %s is %s', (text, instant) => {
    expect(instantOf(text)).toBe(instant);
  });

  it('is compared as a text, whatever digits its server writes', () => {
    const texts = ['2026-01-02T03:04:05.09Z', '2026-01-02T03:04:05.1Z', '2026-01-02T03:04:05.123Z'];
    const instants = texts.map(instantOf);
    expect([...instants].sort()).toEqual(instants);
    expect(later(instants[0] as string, instants[1] as string)).toBe(instants[1]);
  });

  it('may be some time earlier, but not before 1970', () => {
    expect(earlier(instantOf('2026-01-02T03:04:05.5Z'), 1_500)).toBe('2026-01-02T03:04:04.000Z');
    expect(earlier(instantOf('1970-01-01T00:00:01Z'), 5_000)).toBe('1970-01-01T00:00:00.000Z');
  });
});
