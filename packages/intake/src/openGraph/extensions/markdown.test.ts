import { growthByEight, timed } from '@clew/synthetic/testing';
import { describe, expect, test } from 'vitest';
import { MAX_MARKDOWN_LENGTH, markdownFault } from './markdown.ts';

/** Scripts that must never reach a page, in the forms in which text can carry them. */
const SCRIPTS = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC="//x.example/x.js"></SCRIPT>',
  '<scr<script>ipt>alert(1)</script>',
  '<script\n>alert(1)</script\n>',
  '<svg><script>alert(1)</script></svg>',
  '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
  '<iframe src="https://x.example"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="https://x.example"></object>',
  '<embed src="https://x.example">',
  '<link rel="stylesheet" href="https://x.example/x.css">',
  '<meta http-equiv="refresh" content="0;url=https://x.example">',
  '<base href="https://x.example/">',
  '<style>* { display: none }</style>',
  '<form action="https://x.example"><input name="password"></form>',
  '<button onclick="alert(1)">x</button>',
  '<textarea autofocus onfocus=alert(1)></textarea>',
  '<select onchange=alert(1)><option>x</select>',
  '<video src="https://x.example/v" autoplay></video>',
  '<audio src="https://x.example/a" autoplay></audio>',
  '<template><script>alert(1)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<applet code="x"></applet>',
  '<frameset onload=alert(1)></frameset><iframe></iframe>',
];

const ADDRESSES = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  '&#106;avascript:alert(1)',
  '&#x6A;avascript:alert(1)',
  'javascript&colon;alert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD4=',
  'data:image/svg+xml;base64,PHN2Zz4=',
  'file:///etc/passwd',
  'blob:https://x.example/1',
  'view-source:https://x.example',
  'ftp://x.example/x',
  'ms-msdt:/id PCWDiagnostic',
];

const EVENTS = [
  'onclick',
  'onerror',
  'onload',
  'onmouseover',
  'onfocus',
  'onpointerenter',
  'ontoggle',
  'OnClIcK',
];
const ELEMENTS = ['b', 'a', 'p', 'details', 'img', 'table', 'div', 'h1'];
const ATTRIBUTES = [
  'style="position:fixed"',
  'formaction="https://x.example"',
  'background="https://x.example"',
];

const hostile: string[] = [
  // Within a paragraph, a line that begins with ">" is a quotation, and no end of an element.
  ...SCRIPTS.flatMap((html) => [
    html,
    `text ${html.replaceAll('\n', ' ')} text`,
    `- item\n\n  ${html.replaceAll('\n', ' ')}`,
  ]),
  ...ADDRESSES.filter((address) => !/[\t <]/.test(address)).flatMap((address) => [
    `[x](${address})`,
    `![x](${address})`,
    `[x][r]\n\n[r]: ${address}`,
  ]),
  ...ADDRESSES.flatMap((address) => [
    `<a href="${address.replaceAll('"', '')}">x</a>`,
    `<img src="${address.replaceAll('"', '')}">`,
  ]),
  ...EVENTS.flatMap((event) => ELEMENTS.map((element) => `<${element} ${event}="alert(1)">x`)),
  ...ATTRIBUTES.flatMap((attribute) => ELEMENTS.slice(0, 4).map((element) => `<${element} ${attribute}>x`)),
];

test('there are 200 hostile texts, and more', () =>
  expect(new Set(hostile).size).toBeGreaterThanOrEqual(200));

test('none of the hostile texts is taken', () => {
  const taken = hostile.filter((text) => markdownFault(text) === undefined);
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

test('long texts are refused before they are parsed', async () => {
  const refuse = (length: number) => {
    expect(markdownFault('['.repeat(length))).toBe(`is longer than ${MAX_MARKDOWN_LENGTH} characters`);
  };
  // A text eight times as long takes no longer.
  expect(await growthByEight((length) => timed(() => refuse(length)), MAX_MARKDOWN_LENGTH + 1)).toBeLessThan(
    3,
  );
});
