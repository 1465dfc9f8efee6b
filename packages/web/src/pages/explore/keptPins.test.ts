import { describe, expect, test } from 'vitest';
import { type Kept, keptIn, withPins, withQuestion } from './keptPins.ts';

const at = (x: number, y: number) => ({ x, y });

describe('pins', () => {
  test('are kept by question, the newest questions only', () => {
    let kept: Kept = [];
    for (let number = 0; number < 25; number++)
      kept = withQuestion(kept, `q${number}`, new Map([['A', at(number, 1.4)]]));
    expect(kept).toHaveLength(20);
    expect(kept[0]![0]).toBe('q5');
    expect(kept.at(-1)).toEqual(['q24', [['A', 24, 1]]]);
    expect(withQuestion(kept, 'q24', new Map())).toHaveLength(19);
    const many = new Map(Array.from({ length: 400 }, (_, one) => [`${one}`, at(one, one)]));
    expect(withQuestion([], 'large', many)[0]![1]).toHaveLength(300);
    expect(keptIn(JSON.stringify(kept))).toEqual(kept);
  });

  test('of a foreign form are left out', () => {
    const text = JSON.stringify([
      ['q', [['A', 1, 2], ['B', '1', 2], ['C', 1e9, 0], ['D', null, 0], 'E', 7]],
      ['no list', { A: 1 }],
      [7, []],
      null,
    ]);
    expect(keptIn(text)).toEqual([['q', [['A', 1, 2]]]]);
    expect(keptIn(null)).toEqual([]);
    expect(keptIn('{"a":1}')).toEqual([]);
    expect(() => keptIn('[')).toThrow();
  });

  test('move what is there, and know where it was', () => {
    const { places, home } = withPins(
      new Map([
        ['A', at(1, 1)],
        ['B', at(2, 2)],
      ]),
      new Map([
        ['A', at(9, 9)],
        ['gone', at(5, 5)],
      ]),
    );
    expect([...places]).toEqual([
      ['A', at(9, 9)],
      ['B', at(2, 2)],
    ]);
    expect([...home]).toEqual([['A', at(1, 1)]]);
  });
});
