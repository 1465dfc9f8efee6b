import { expect, it } from 'vitest';
import { withoutLiterals } from './withoutLiterals.ts';

it.each([
  ["MATCH (n {name: 'ADA'}) RETURN n LIMIT 10", "MATCH (n {name: '…'}) RETURN n LIMIT …"],
  ["RETURN \"it's\", 'a\\'b', 1.5, n1", "RETURN '…', '…', …, n1"],
  ["RETURN 'never closed", "RETURN '…'"],
  ["RETURN '\\", "RETURN '…'"],
])('%s is logged as %s', (query, text) => {
  expect(withoutLiterals(query)).toBe(text);
});

it('keeps the beginning of a long query, whatever it contains', () => {
  expect(withoutLiterals(`RETURN ${"'\\'".repeat(30_000)}`).length).toBeLessThanOrEqual(2000);
  expect(withoutLiterals('x'.repeat(1_000_000)).length).toBe(2000);
});
