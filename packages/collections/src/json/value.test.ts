import { describe, expect, it } from 'vitest';
import { member } from './member.ts';
import { parseGuess, parseValue } from './value.ts';

describe('parseValue', () => {
  it('reads valid JSON', () => {
    expect(parseValue(Buffer.from('{"a":["é",1.5,null,true]}'))).toEqual({
      value: { a: ['é', 1.5, null, true] },
      mended: false,
    });
  });

  it('refuses invalid UTF-8 and reports its position', () => {
    const bytes = Buffer.concat([Buffer.from('{"é":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    expect(parseValue(bytes)).toEqual({ fault: 'the text is not valid UTF-8', at: 7 });
  });

  it.each([
    ['an overlong sequence', [0xc0, 0xaf]],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
    ['a sequence that is cut off', [0xe2, 0x82]],
  ])('refuses %s', (_, sequence) => {
    const bytes = Buffer.concat([Buffer.from('["'), Buffer.from(sequence), Buffer.from('"]')]);
    expect(parseValue(bytes)).toEqual({ fault: 'the text is not valid UTF-8', at: 2 });
  });

  it.each(['{"a":}', '{"a":1,}', '[1', 'nul', '{"a":"\u0000"}', '{"a":"\n"}', "{'a':1}", '01', ''])(
    'refuses %j without quoting it',
    (text) => {
      expect(parseValue(Buffer.from(text))).toMatchObject({ fault: 'it is not valid JSON' });
    },
  );

  it('reports the position of a fault in bytes', () => {
    expect(parseValue(Buffer.from('{"éé":1 "b":2}'))).toMatchObject({ at: 10 });
  });

  it('replaces characters that cannot be stored, in names and values', () => {
    const parsed = parseValue(Buffer.from('{"a\\u0000":["\\ud800x","\\ud83d\\ude00","\\u0041"]}'));
    expect(parsed).toEqual({ value: { 'a\ufffd': ['\ufffdx', '😀', 'A'] }, mended: true });
  });

  it('reads a member named __proto__ as a plain member', () => {
    const parsed = parseValue(Buffer.from('{"__proto__":{"ObjectIdentifier":"\\u0000"}}'));
    const value = 'value' in parsed ? (parsed.value as object) : {};
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(['__proto__']);
  });
});

describe('parseGuess', () => {
  it('accepts only a complete value', () => {
    expect(parseGuess(Buffer.from('{"a":1}'), 8)).toEqual({ value: { a: 1 }, mended: false });
    expect(parseGuess(Buffer.from('{"a":1},{"a":2}'), 8)).toBeUndefined();
    expect(parseGuess(Buffer.from('{"a":'), 8)).toBeUndefined();
    expect(parseGuess(Buffer.from([0x22, 0xff, 0x22]), 8)).toBeUndefined();
  });

  it('returns undefined if the nesting may be too deep', () => {
    expect(parseGuess(Buffer.from('[[[]]]'), 3)).toBeDefined();
    expect(parseGuess(Buffer.from('[[[[]]]]'), 3)).toBeUndefined();
  });
});

describe('member', () => {
  it('matches names case-insensitively and prefers the exact one', () => {
    expect(member({ GUID: 'x' }, 'Guid')).toBe('x');
    expect(member({ GUID: 'x', Guid: 'y' }, 'Guid')).toBe('y');
    expect(member({ Guide: 'x' }, 'Guid')).toBeUndefined();
    expect(member({ A: null }, 'a')).toBeNull();
  });
});
