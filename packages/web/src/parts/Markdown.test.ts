import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Markdown } from './Markdown.tsx';

const shown = (text: string): string =>
  renderToStaticMarkup(createElement(Markdown, { text, isForeign: true }));

test('shows what Markdown is for', () => {
  expect(shown('# Why\n\nIt is **bad**, `really`.\n\n- one\n- two')).toBe(
    '<div class="prose"><h3>Why</h3><p>It is <strong>bad</strong>, <code>really</code>.</p><ul><li>one</li><li>two</li></ul></div>',
  );
});

test('shows markup as text, and leads nowhere but to https, with the host next to it', () => {
  for (const text of [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<svg/onload=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,hi)',
    '[x](//evil.example)',
    '[x](https://)',
    '`<b>`<iframe src=//evil.example>',
  ])
    expect(shown(text)).not.toMatch(/<(?:script|img|a|svg|iframe|b)\b/);
  expect(shown('[Your bank](https://evil.example/login)')).toContain(
    '<a href="https://evil.example/login" rel="noreferrer noopener" target="_blank">Your bank</a> (evil.example)',
  );
});

test('takes no time for a text of openings without an end', () => {
  const began = performance.now();
  for (const opening of ['[', '*', '**', '`', '[x](', 'https://'])
    shown(opening.repeat(Math.floor(65_536 / opening.length)));
  expect(performance.now() - began).toBeLessThan(5000);
});
