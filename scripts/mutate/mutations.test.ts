import { describe, expect, it } from 'vitest';
import { mutationsOf, onlyCode, sampleOf } from './mutations.ts';

const TEXT = `import { a } from './a.ts'; // a < b
/** A text && a comment. */
export function f(x: number): boolean {
  for (const y of a) {
    if (y > x && y === 2) continue;
    found.push(y);
  }
  return x < 3;
}
`;

describe('mutations', () => {
  it('change one place of the code each, but no comments or texts', () => {
    const found = mutationsOf('f.ts', TEXT).map(({ line, change }) => `${line} ${change}`);
    expect(found.sort()).toEqual([
      '5 && → ||',
      '5 === → !==',
      '5 > → >=',
      '5 continue; → break;',
      '6 found.push(y); → ;',
      '8 < → <=',
      '8 return → return undefined as never; return',
    ]);
    for (const { text } of mutationsOf('f.ts', TEXT)) expect(text).not.toBe(TEXT);
  });

  it('keep the length of the examined text', () => {
    expect(onlyCode(TEXT)).toHaveLength(TEXT.length);
    expect(onlyCode("const a = 'it\\'s < b' + `c < d`;")).not.toContain('<');
  });

  it('are distinct, and the same for the same seed', () => {
    const items = Array.from({ length: 100 }, (_, at) => at);
    expect(sampleOf(items, 40, 7)).toEqual(sampleOf(items, 40, 7));
    expect(sampleOf(items, 40, 7)).not.toEqual(sampleOf(items, 40, 8));
    expect(new Set(sampleOf(items, 1000, 7)).size).toBe(100);
  });
});
