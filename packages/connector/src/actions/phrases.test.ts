import { expect, it } from 'vitest';
import { builtInPhrase, phrasesText } from './phrases.ts';

it('says a phrase that several kinds have once, with their number', () => {
  const kinds = ['ADCSESC9a', 'MemberOf', 'ADCSESC9b', 'ADCSESC10a'];
  const member = builtInPhrase('MemberOf');
  expect(phrasesText(kinds, builtInPhrase)).toBe(`${builtInPhrase('ADCSESC9a')} (3 ways), ${member}`);
  expect(phrasesText([], builtInPhrase)).toBe('');
});
