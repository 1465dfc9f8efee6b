import { expect, test } from 'vitest';
import { readHistory, withQuery } from './queryHistory.ts';

test('the last query comes first, each once, and thirty are kept', () => {
  let history: readonly string[] = [];
  for (let at = 0; at < 40; at++) history = withQuery(history, `RETURN ${at}`);
  expect([history.length, history[0], history.at(-1)]).toEqual([30, 'RETURN 39', 'RETURN 10']);
  expect(withQuery(history, 'RETURN 20').slice(0, 2)).toEqual(['RETURN 20', 'RETURN 39']);
  expect(withQuery(history, 'x'.repeat(20_000))).toBe(history);
});

test('a value that is not a list of texts is not a history', () => {
  for (const text of [null, '', '{', '{"a":1}', '[1,null]']) expect(readHistory(text)).toEqual([]);
  expect(readHistory('["RETURN 1", 2]')).toEqual(['RETURN 1']);
});
