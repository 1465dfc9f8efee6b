import { describe, expect, it } from 'vitest';
import { mentionsIn } from './mentions.ts';

const NAMES = ['ann', 'Ann Lee', 'ann.smith', 'maja@corp.example', 'O\u2019Neil', 'Zoë'];
const named = (text: string): string[] => mentionsIn(text, NAMES).map(({ name }) => name);

describe('mentions', () => {
  it.each([
    ['@ann please look', ['ann']],
    ['Please look, @ANN.', ['ann']],
    ['(@ann, @Zoë)', ['ann', 'Zoë']],
    ['@Ann Lee and @ann lee: both are one', ['Ann Lee', 'Ann Lee']],
    ['@ann leeward', ['ann']],
    ['@ann.smith is not @ann. Smith', ['ann.smith', 'ann']],
    ['@maja@corp.example', ['maja@corp.example']],
    ['@ann\n@ann', ['ann', 'ann']],
    ['@O\u2019Neil\u2019s', ['O\u2019Neil']],
  ])('finds them in %j', (text, names) => {
    expect(named(text)).toEqual(names);
  });

  it.each([
    ['ann', 'of no @'],
    ['@annika', 'of a longer name'],
    ['@ann-marie', 'of a name with a hyphen'],
    ['@ann@corp.example', 'of another address'],
    ['mail to me@ann or x.@ann', 'inside an address'],
    ['@ ann', 'of a name that does not follow'],
    ['@nobody-here', 'of unknown users'],
    ['@', 'of nothing'],
  ])('leaves %j as text', (text) => {
    expect(named(text)).toEqual([]);
  });

  it('gives the place of each, in linear time', () => {
    const text = 'See @Zoë.';
    const [{ from, to } = { from: 0, to: 0 }] = mentionsIn(text, NAMES);
    expect(text.slice(from, to)).toBe('@Zoë');
    expect(mentionsIn('@'.repeat(100_000), NAMES)).toEqual([]);
    expect(mentionsIn('@ann', ['', 'ann'])).toHaveLength(1);
  });
});
