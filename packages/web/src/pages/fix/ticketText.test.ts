import type { CardRecord } from '@clew/api';
import { expect, it } from 'vitest';
import { ticketText } from './ticketText.ts';

const repair = (title: string) => ({
  ...{ key: title, title, fix: `Do ${title}.`, check: `See ${title}.`, risk: 'None.', cost: 1 },
  ...{
    why: '',
    uses: null,
    questions: [{ question: 'Does anyone use it?', needed: 'If so, leave it out.' }],
  },
});

const card = (titles: readonly string[]): CardRecord =>
  ({
    key: 'one',
    title: titles[0],
    packages: titles.map(repair),
    ...{
      exposed_before: 8,
      principals_before: 10,
      exposed_after: 2,
      exposure: [{ exposed_count: 2, principal_count: 10 }],
    },
    ...{ closed_count: 3, affected_count: 1, effect: { measure: 'exposure', text: '' } },
    paths: [
      {
        cut: 1,
        before: {
          nodes: [{ name: 'A*B' }, { name: 'GROUP' }, { name: 'DOMAIN' }],
          steps: [{ kind: 'MemberOf' }, { kind: 'DCSync' }],
        },
      },
    ],
  }) as unknown as CardRecord;

const facts = {
  zone: 1,
  address: 'https://clew.example/ui/fix/one',
  phraseOf: (kind: string) => `-${kind}-`,
};

it('a ticket says what, why, how to verify it, what to ask first, and where the path is cut', () => {
  expect(ticketText({ ...facts, card: card(['Remove X']) })).toBe(`# Remove X

Exposure of Tier Zero: 80.0% -> 20.0%. Closes 3 findings. 1 user or computer loses access.

## Repair

- **Apply**: Do Remove X.
- **Verify**: See Remove X.
- **Risk**: None.
- **Ask first**: Does anyone use it? If so, leave it out.
- **Cost**: 1

## Attack path that it cuts

1. A\\*B -MemberOf- GROUP
2. GROUP -DCSync- DOMAIN (**cut here**)

Details: https://clew.example/ui/fix/one
`);
});

it('a ticket of a set says that its repairs only help together, and numbers them', () => {
  const text = ticketText({ ...facts, card: card(['Remove X', 'Remove Y']) });
  expect(text).toContain('All 2 repairs are needed: none helps on its own.');
  expect(text).toContain('## Repair 2: Remove Y');
});

it('names hold no Markdown: a hostile one stays text in one line', () => {
  const text = ticketText({ ...facts, card: card(['[x](http://evil)\n# <img src=x>']) });
  expect(text.split('\n')[0]).toContain('\\[x\\](http://evil)');
  expect(text).toContain('\\# \\<img src=x\\>');
  expect(text.match(/^# /gm)).toHaveLength(1);
});

it('a repair that takes accounts out of the zone starts at the exposure that the repair before it leaves', () => {
  const text = ticketText({ ...facts, card: { ...card(['Remove X']), principals_before: 9 } });
  expect(text).toContain('Exposure of Tier Zero: 88.9% -> 20.0%.');
});
