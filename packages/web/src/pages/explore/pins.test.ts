import { describe, expect, test } from 'vitest';
import { keptIn, readPins, withPins, writePins } from './pins.ts';

const at = (x: number, y: number) => ({ x, y });

describe('pins', () => {
  test('are kept by question, the newest questions only', () => {
    for (let number = 0; number < 25; number++) writePins(`q${number}`, new Map([['A', at(number, 1.4)]]));
    expect(readPins('q24')).toEqual(new Map([['A', at(24, 1)]]));
    expect(readPins('q4').size).toBe(0);
    expect(readPins('q5').size).toBe(1);
    writePins('q24', new Map());
    expect(readPins('q24').size).toBe(0);
    writePins('large', new Map(Array.from({ length: 400 }, (_, one) => [`${one}`, at(one, one)])));
    expect(readPins('large').size).toBe(300);
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
