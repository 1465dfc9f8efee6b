import { expect, it } from 'vitest';
import { dataFault } from './dataFaults.ts';
import { storableJson, storableText } from './storableJson.ts';

it('replaces what PostgreSQL cannot store, in keys, lists and texts of any depth', () => {
  const half = '\ud83d';
  expect(storableText(`a\0b${half}c\u{1f600}`)).toBe('a\ufffdb\ufffdc\u{1f600}');
  expect(storableJson({ [`k${half}`]: ['\0', { inner: `x${half}`, n: 1, no: null }] })).toEqual({
    json: '{"k\ufffd":["\ufffd",{"inner":"x\ufffd","n":1,"no":null}]}',
    repaired: true,
  });
});

it('does not change similar text', () => {
  const value = { path: 'c:\\u0000', emoji: '\u{1f600}' };
  expect(storableJson(value)).toEqual({ json: JSON.stringify(value), repaired: false });
});

it('distinguishes data errors from all others, even as the cause of another error', () => {
  const withCode = (code: string, cause?: unknown) => Object.assign(new Error('x', { cause }), { code });
  for (const code of ['22P05', '22021', '23505', '54000']) {
    expect(dataFault(withCode(code))).toBe(code);
    expect(dataFault(new Error('y', { cause: withCode(code) }))).toBe(code);
  }
  for (const code of ['53100', '40P01', '57P01', 'ENOSPC', 'XX000'])
    expect(dataFault(withCode(code))).toBeUndefined();
});
