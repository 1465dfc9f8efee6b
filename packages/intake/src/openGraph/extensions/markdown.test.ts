import { growthByEight, HOSTILE_MARKDOWN, timed } from '@clew/synthetic/testing';
import { describe, expect, test } from 'vitest';
import { MAX_MARKDOWN_LENGTH, markdownFault } from './markdown.ts';

test('there are 200 hostile texts, and more', () =>
  expect(new Set(HOSTILE_MARKDOWN).size).toBeGreaterThanOrEqual(200));

test('all hostile texts are rejected', () => {
  const taken = HOSTILE_MARKDOWN.filter((text) => markdownFault(text) === undefined);
  expect(taken).toEqual([]);
});

describe('the elements of published texts are accepted', () => {
  test.each([
    ['headings, lists and emphasis', '# A\n\n1. *x*\n2. **y**\n\n- z\n  - zz\n'],
    ['tables', '| a | b |\n|:--|--:|\n| 1 | 2 |\n'],
    ['task lists and strikethrough', '- [ ] a\n- [x] ~~b~~\n'],
    [
      'links, autolinks and images',
      '[a](https://x.example) https://x.example <b@x.example> ![c](https://x.example/c.png)',
    ],
    ['code with markup in it', '`<script>`\n\n```html\n<script>alert(1)</script>\n```\n'],
    ['allowed HTML', '<b>x</b> <kbd>y</kbd><br/><details><summary>s</summary>x</details>'],
    ['comments', 'a <!-- b --> c'],
    ['comparisons', '1 < 2, and 3 > 2'],
    ['notes', 'a[^1]\n\n[^1]: b\n'],
  ])('%s', (_, text) => expect(markdownFault(text)).toBeUndefined());
});

/** A text eight times as long takes no longer. */
const MAX_GROWTH = 3;

test('long texts are rejected before they are parsed', async () => {
  const refuse = (length: number) => {
    expect(markdownFault('['.repeat(length))).toBe(`is longer than ${MAX_MARKDOWN_LENGTH} characters`);
  };
  const growth = await growthByEight(
    (length) => timed(() => refuse(length)),
    MAX_MARKDOWN_LENGTH + 1,
    MAX_GROWTH,
  );
  expect(growth).toBeLessThan(MAX_GROWTH);
});
