import { growthByEight, LINEAR_BY_EIGHT, timed } from '@clew/synthetic/testing';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { InputError, parseItems, parsePairs } from './inputs.ts';

describe('a list', () => {
  it.each([
    ['A,B', ['A', 'B']],
    [' A , B ,, A ', ['A', 'B']],
    ['B\nA\r\nC', ['B', 'A', 'C']],
    ['["A", "B,C"]', ['A', 'B,C']],
    ['[A, B]', ['A', 'B']],
    ['"A", \'B\'', ['A', 'B']],
    ['"CN=X,DC=Y", Z', ['CN=X,DC=Y', 'Z']],
    ["O'BRIEN, D'ARC", ["O'BRIEN", "D'ARC"]],
    ["'quoted", ["'quoted"]],
    ['["A", 1]', ['A', '1']],
    ['[]x', ['[]x']],
  ])('%j', (text, items) => {
    expect(parseItems(text, 'Object Names')).toEqual(items);
  });

  it.each([undefined, '', '  ', '[]', ',,,', '""'])('%j is missing', (text) => {
    expect(() => parseItems(text, 'Object Names')).toThrow(new InputError('Object Names is required'));
  });

  it('is bounded', () => {
    const many = Array.from({ length: 1_001 }, (_, at) => at).join();
    expect(() => parseItems(many, 'Object IDs')).toThrow(/more than 1000 entries/);
    expect(() => parseItems('x'.repeat(2_000_000), 'Object IDs')).toThrow(/longer than/);
  });

  it.each(["'a,", '"a,', `"a'b,`, ',', '["'])(
    'of %j is read in a time that grows with its size',
    async (part) => {
      const read = (text: string): void => {
        try {
          parseItems(text, 'x');
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
        }
      };
      const measure = (size: number) => timed(() => read(part.repeat(size / part.length)));
      expect(await growthByEight(measure, 125_000)).toBeLessThan(LINEAR_BY_EIGHT);
    },
  );

  test('comes back from JSON whatever it holds, in order and once', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (items) => {
        const wanted = [...new Set(items.map((item) => item.trim()).filter((item) => item !== ''))];
        fc.pre(wanted.length > 0);
        expect(parseItems(JSON.stringify(items), 'x')).toEqual(wanted);
      }),
    );
  });
});

const event = (from: string, to: string, more: object = {}) =>
  JSON.stringify({ FromPrincipal: from, ToPrincipal: to, ...more });

describe('details of events', () => {
  const nested = event('A', 'B', { finding: { a: { b: '},{' } }, text: 'quote " and }' });

  it.each([
    ['one object', event('A', 'B'), ['A -> B']],
    ['several, joined by commas', `${event('A', 'B')},${event('C', 'D')}`, ['A -> B', 'C -> D']],
    ['in brackets', `[${event('A', 'B')}, ${event('C', 'D')},]`, ['A -> B', 'C -> D']],
    ['as texts', JSON.stringify([event('A', 'B'), event('C', 'D')]), ['A -> B', 'C -> D']],
    ['nested', `${nested},${event('C', 'D')}`, ['A -> B', 'C -> D']],
    ['lines', 'A -> B\n  C D -> E F ,\n', ['A -> B', 'C D -> E F']],
    ['twice', `${event('A', 'B')},${event('A', 'B')}`, ['A -> B']],
  ])('%s', (_, text, pairs) => {
    const found = parsePairs(text, 'Event Details').pairs;
    expect(found.map(({ from, to }) => `${from} -> ${to}`)).toEqual(pairs);
  });

  it('without a beginning are counted', () => {
    const list = JSON.stringify({ ToPrincipal: 'B' });
    expect(parsePairs(`${list},${event('A', 'B')}`, 'Event Details')).toEqual({
      pairs: [{ from: 'A', to: 'B' }],
      skipped: 1,
    });
  });

  it.each([
    ['nothing', '', /is required/],
    ['no pair', '{"a":1}', /no pair/],
    ['half an object', '{"FromPrincipal":"A"', /cannot be read from character 1/],
    ['words', 'hello', /no pair/],
    ['empty ids', event('', 'B'), /no pair/],
  ])('%s is refused', (_, text, message) => {
    expect(() => parsePairs(text, 'Event Details')).toThrow(message);
  });

  test('are read or refused whatever they hold, in a time that grows with their size', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', '"', '\\', ',', '[', 'a', '->', '\n', ':') }),
        (text) => {
          try {
            parsePairs(text, 'x');
          } catch (error) {
            expect(error).toBeInstanceOf(InputError);
          }
        },
      ),
    );
  });

  it.each([
    ['brackets', (size: number) => '{'.repeat(size)],
    ['quotes', (size: number) => '"'.repeat(size - 1)],
    ['lists', (size: number) => '[,'.repeat(size / 2)],
    ['quotes in a text', (size: number) => `"${'\\"'.repeat(size / 2 - 1)}`],
  ])('of %s are refused in a time that grows with their size', async (_, make) => {
    const refuse = (text: string) => expect(() => parsePairs(text, 'x')).toThrow(InputError);
    const measure = (size: number) => timed(() => refuse(make(size)));
    expect(await growthByEight(measure, 125_000)).toBeLessThan(LINEAR_BY_EIGHT);
  });
});
