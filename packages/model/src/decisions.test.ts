import { expect, test } from 'vitest';
import { decisionsSentence } from './decisions.ts';

test.each([
  [[{ packages: [1] }], /^This change .* It interrupts .* contains it\.$/],
  [[{ packages: [1, 2] }], /^These changes .* They interrupt .* contain/],
  [[{ packages: [1] }, { packages: [2] }], /^These changes /],
])('%j is one change or several', (decisions, sentence) => {
  expect(decisionsSentence(decisions)).toMatch(sentence);
});
