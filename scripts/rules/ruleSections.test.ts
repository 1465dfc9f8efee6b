import { expect, it } from 'vitest';
import { chapterOf, kindRules, ruleMarkdown, ruleSections } from './ruleSections.ts';

it('lines of a paragraph become one, lists and paragraphs stay', () => {
  expect(
    ruleMarkdown({
      when: ['A user', 'is one.', '', '- of this,', 'or', '- of that.', '', 'So it', 'is.'],
      removedBy: 'time.',
    }),
  ).toBe('A user is one.\n\n- of this, or\n- of that.\n\nSo it is. *Removed by:* time.');
  expect(
    ruleMarkdown({ when: ['One of', '', '- a', '- b'], source: 'us.', removedBy: ['you', 'or me.'] }),
  ).toBe('One of\n\n- a\n- b\n\n*Source:* us. *Removed by:* you or me.');
});

it('each rule is in one chapter', async () => {
  const rules = await kindRules();
  expect(rules.length).toBeGreaterThan(50);
  const page = (['certificate services', 'Active Directory', 'Entra ID and Azure'] as const)
    .map((chapter) => ruleSections(rules, chapter))
    .join('\n');
  for (const { kind } of rules) expect(page.split(`### ${kind}\n`)).toHaveLength(2);
});

it('links between the directories are in the chapter of the cloud', () => {
  expect(chapterOf({ category: 'synchronization', platform: 'ad' })).toBe('Entra ID and Azure');
  expect(chapterOf({ category: 'certificates', platform: 'ad' })).toBe('certificate services');
  expect(chapterOf({ category: 'control', platform: 'ad' })).toBe('Active Directory');
});
