import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from './exactJson.ts';

describe('JSON with integers beyond 2^53', () => {
  it('keeps the digits of every integer, at any place', () => {
    const number = fc.oneof(
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
      fc.maxSafeInteger().map(BigInt),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        number.map(String),
        fc.string().map((text) => JSON.stringify(text)),
        fc.constantFrom('true', 'null', '"134400570003280569"', '1.5', '"a\\": 134400570003280569"'),
        fc.array(tie('tree')).map((items) => `[${(items as string[]).join()}]`),
        fc
          .dictionary(fc.string(), tie('tree'))
          .map((all) => `{${Object.entries(all).map(([key, value]) => `${JSON.stringify(key)}:${value}`)}}`),
      ),
    }));
    fc.assert(
      fc.property(tree as fc.Arbitrary<string>, (text) => {
        // Objects always list numeric keys first.
        const again = JSON.stringify(parseJson(text));
        expect([...again.matchAll(/\d+/g)].map(String).sort()).toEqual(
          [...text.matchAll(/\d+/g)].map(String).sort(),
        );
        expect(JSON.stringify(JSON.parse(again))).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 500 },
    );
  });

  it('creates bigints for nothing else', () => {
    for (const text of [
      '9007199254740991',
      '-9007199254740991',
      '1e300',
      '1.34400570003280569e17',
      '0',
      '-0',
    ])
      expect(parseJson(text)).toBe(JSON.parse(text));
    expect(parseJson(' 9007199254740993 ')).toBe(9_007_199_254_740_993n);
    expect(parseJson('[{"a":\n-9223372036854775808}]')).toEqual([{ a: -(2n ** 63n) }]);
  });

  it('rounds an integer of excessive length', () => {
    expect(typeof parseJson('9'.repeat(200))).toBe('bigint');
    expect(parseJson(`1${'0'.repeat(100_000)}`)).toBe(Number.POSITIVE_INFINITY);
  });

  it('fails like JSON.parse for text that is not JSON', () => {
    expect(() => parseJson('{"a":134400570003280569,}')).toThrow(/at position \d+/);
  });
});
