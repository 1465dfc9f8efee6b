/** Untrusted names for scripts: quotes of all kinds, code, controls, and characters that code pages read as quotes. */
import fc from 'fast-check';

const PARTS = [
  ...[
    "'",
    '\u2018',
    '\u2019',
    '\u201a',
    '\u201b',
    '"',
    '\u201c',
    '\u201d',
    '\u201e',
    '\u2013',
    '`',
    '$',
    '$(calc)',
  ],
  ...[
    ';',
    'Б',
    'Ñ',
    'т',
    '#>',
    '<#',
    "\n'@\n",
    "@'\n",
    '\r\n',
    '\0',
    '\u202e',
    '\ud800',
    '\udc00',
    '\\u0027',
    '\\',
    '*',
    '?',
  ],
  ...[
    '# SIG # Begin signature block',
    "'; Remove-Item C:\\ ;'",
    '\u2019; calc; \u2018',
    '2024-01-01T00:00:00Z',
    'Ann',
    ' ',
  ],
];
const hostileName: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...PARTS), fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 8 })
  .map((parts) => parts.join(''));
export const hostilePairs = fc.record({ object: hostileName, principal: hostileName });
