/** Markdown texts that must never run a script on a page. */

/** Scripts that must never reach a page, in all forms that text can contain. */
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

export const HOSTILE_MARKDOWN: readonly string[] = [
  // Within a paragraph, a line that begins with ">" is a quotation, not the end of an element.
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
