import { HOSTILE_MARKDOWN, workedMs } from '@clew/synthetic/testing';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import GithubMarkdown from './GithubMarkdown.tsx';
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
  const began = workedMs();
  for (const opening of ['[', '*', '**', '`', '[x](', 'https://'])
    shown(opening.repeat(Math.floor(65_536 / opening.length)));
  expect(workedMs() - began).toBeLessThan(5000);
});

const shownAll = (text: string): string => renderToStaticMarkup(createElement(GithubMarkdown, { text }));

test('nothing of two hundred hostile texts reaches a page, however it is shown', () => {
  expect(new Set(HOSTILE_MARKDOWN).size).toBeGreaterThanOrEqual(200);
  const acts =
    /<(?:script|style|iframe|object|embed|link|meta|base|form|input|button|svg|math|img|video|audio|template)\b|<[^>]*\s(?:on\w+|style|src|srcdoc|formaction|background|id|class(?!="prose"))=|href="(?!https:)/i;
  for (const text of HOSTILE_MARKDOWN)
    for (const page of [shown(text), shownAll(text)]) expect(page, text).not.toMatch(acts);
});

test('shows tables, tasks, code and allowed elements of authors, and images as links', () => {
  expect(shownAll('| a | b |\n| --- | --- |\n| 1 | ~~2~~ |')).toBe(
    '<div class="prose"><table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td><del>2</del></td>\n</tr>\n</tbody>\n</table></div>',
  );
  expect(shownAll('- [x] done\n- [ ] open')).toMatch(/☑ *done[\s\S]*☐ *open/);
  expect(shownAll('# One\n\nPress <kbd>F1</kbd>.\n\n```sh\nls <b>\n```')).toBe(
    '<div class="prose"><h3>One</h3>\n<p>Press <kbd>F1</kbd>.</p>\n<pre><code>ls &lt;b&gt;\n</code></pre></div>',
  );
  expect(shownAll('![plan](https://x.example/plan.png)')).toContain(
    '<a href="https://x.example/plan.png" rel="noreferrer noopener" target="_blank">plan</a> (x.example)',
  );
  expect(shownAll('[**docs**](https://x.example/a) and [here](javascript:alert(1))')).toContain(
    '<strong>docs</strong></a> (x.example) and here',
  );
});
