/** Compares with RE2. */
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { Random } from '../../test/randomGraph.ts';
import { plainTest } from './plainWords.ts';

test('finds the same matches as RE2', () => {
  const random = new Random(11);
  const some = (letters: string, most: number): string =>
    Array.from({ length: 1 + random.below(most) }, () => letters[random.below(letters.length)]).join('');
  const word = (): string => some('kS_ab', 3).replace('_', random.chance(0.3) ? '\\.' : '_');
  const alternative = (): string =>
    [random.of(['', '^']), random.of(['', '.*']), word(), random.of(['', '.*']), random.of(['', '$'])].join(
      '',
    );
  let found = 0;
  for (let at = 0; at < 1500; at++) {
    const alternatives = Array.from({ length: 1 + random.below(3) }, alternative);
    const pattern = `${random.of(['', '(?i)'])}${alternatives.join('|')}`;
    const text = some('kKsSabAB_.\u212a\u017fx\n', 6);
    const expression = RE2JS.compile(pattern);
    const [finds, matches] = [expression.matcher(text).find(), expression.matcher(text).matches()];
    const told = (isSearched: boolean, expected: boolean): boolean | undefined =>
      plainTest(pattern, isSearched, () => expected)?.(text);
    expect({ pattern, text, finds: told(true, finds), matches: told(false, matches) }).toEqual({
      ...{ pattern, text, finds, matches },
    });
    if (matches) found++;
  }
  expect(found).toBeGreaterThan(30);
});

test.each(['a.b', 'a+', '(a|b)', '[ab]', 'a.*b', '', 'é', '(?s)a', 'a||b'])('leaves %s to RE2', (pattern) => {
  expect(plainTest(pattern, false, () => true)).toBeUndefined();
});
