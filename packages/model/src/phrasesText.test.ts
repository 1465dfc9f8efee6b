import { expect, it } from 'vitest';
import { edgeText, phrasesText } from './edgeKinds.ts';

const phraseOf = (kind: string): string => edgeText(kind).phrase;

it('contains a phrase of several kinds once', () => {
  const kinds = ['ADCSESC9a', 'MemberOf', 'ADCSESC9b', 'ADCSESC10a'];
  expect(phrasesText(kinds, phraseOf)).toBe(`${phraseOf('ADCSESC9a')}, and ${phraseOf('MemberOf')}`);
  expect(phrasesText([], phraseOf)).toBe('');
});
