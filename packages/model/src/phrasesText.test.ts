import { expect, it } from 'vitest';
import { edgeText, phrasesText } from './edgeKinds.ts';

const phraseOf = (kind: string): string => edgeText(kind).phrase;

it('says a phrase that several kinds have once, with their number', () => {
  const kinds = ['ADCSESC9a', 'MemberOf', 'ADCSESC9b', 'ADCSESC10a'];
  const member = phraseOf('MemberOf');
  expect(phrasesText(kinds, phraseOf)).toBe(`${phraseOf('ADCSESC9a')} (3 ways), ${member}`);
  expect(phrasesText([], phraseOf)).toBe('');
});
