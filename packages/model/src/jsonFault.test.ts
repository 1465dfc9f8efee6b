import { expect, test } from 'vitest';
import { jsonFault } from './jsonFault.ts';

function faultOf(text: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    return jsonFault(text, error);
  }
  throw new Error(`is JSON: ${text}`);
}

test.each([
  ['', 'Unexpected end in JSON at position 0 (line 1 column 1)'],
  ['{\n  "a": [1, 2', "Expected ',' or ']' after array element in JSON at position 14 (line 2 column 13)"],
  ['{"a":', 'Unexpected end in JSON at position 5 (line 1 column 6)'],
  ['{"a":1,}', 'Expected double-quoted property name in JSON at position 7 (line 1 column 8)'],
  ['{\n"a": nope}', "Unexpected token 'o' in JSON at position 7 (line 2 column 6)"],
  ['{"a": }', "Unexpected token '}' in JSON at position 6 (line 1 column 7)"],
  ['[{}, [], "x\\"]", 1,\n ,2]', "Unexpected token ',' in JSON at position 21 (line 2 column 2)"],
  ['{"secret":hunter2}', "Unexpected token 'h' in JSON at position 10 (line 1 column 11)"],
  ['[😀]', "Unexpected token '\ud83d' in JSON at position 1 (line 1 column 2)"],
])('%j: %s', (text, message) => {
  expect(faultOf(text)).toBe(message);
});

test('the place is at the change that makes a text invalid, or at the beginning of its word', () => {
  const text = JSON.stringify({ a: [1.5e3, true, { b: null }], c: 'x"', d: {}, e: [] }, null, 1);
  for (let at = 0; at < text.length; at++) {
    const changed = `${text.slice(0, at)}~${text.slice(at)}`;
    try {
      JSON.parse(changed);
    } catch (error) {
      const place = Number(/position (\d+)/.exec(jsonFault(changed, error))?.[1]);
      expect(place, changed).toBeLessThanOrEqual(at);
      expect(place, changed).toBeGreaterThan(at - 'false'.length);
    }
  }
});
