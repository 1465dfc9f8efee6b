import { ApiError } from '@clew/client';
import { expect, it } from 'vitest';
import {
  faultOffset,
  hasAllValues,
  isRefusedQuery,
  parametersIn,
  parameterValue,
  parameterValues,
  refusedWords,
  typedParameters,
  typedText,
} from './queryText.ts';

it.each([
  ['MATCH (u:User {name: $name}) WHERE u.x = $x OR u.y = $name RETURN u', ['name', 'x']],
  ["RETURN \"$no\", 'it\\'s $no', `$no`, $yes // $no\n/* $no */ + $also", ['yes', 'also']],
  ["RETURN 'open $no", []],
  ['RETURN /* open $no', []],
  ['RETURN $1 + $größe', ['1', 'größe']],
  ['RETURN $ name, $`two words`, $`a``b`', ['name', 'two words', 'a`b']],
  ['RETURN price$usd, n.price$eur', []],
  ['', []],
])('finds the parameters of %j', (query, names) => {
  expect(parametersIn(query)).toEqual(names);
});

it.each([
  ['5', 5],
  ['true', true],
  ['["a", 2]', ['a', 2]],
  ['"5"', '5'],
  ['DOMAIN ADMINS@A.EXAMPLE', 'DOMAIN ADMINS@A.EXAMPLE'],
  ['', ''],
  ['{', '{'],
])('takes %j for the value %j', (typed, value) => {
  expect(parameterValue(typed)).toEqual(value);
});

it.each([
  [undefined, []],
  ['{"a":"1","b":2,"c":null}', [['a', '1']]],
  ['{"__proto__":"1"}', [['__proto__', '1']]],
  ['["a"]', []],
  ['null', []],
  ['{', []],
])('reads %j of an address as %j', (text, typed) => {
  expect([...typedParameters(text)]).toEqual(typed);
});

it.each(['name', 'constructor', '__proto__', '1'])(
  'asks for $%s until it has a value, which an address holds',
  (name) => {
    const query = `RETURN $${name}`;
    expect(hasAllValues(query, new Map())).toBe(false);
    const typed = new Map([
      [name, '5'],
      ['other', 'x'],
    ]);
    expect(hasAllValues(query, typed)).toBe(true);
    expect(Object.entries(parameterValues(query, typed))).toEqual([[name, 5]]);
    expect([...typedParameters(typedText(query, typed))]).toEqual([[name, '5']]);
    expect(typedText('RETURN 1', typed)).toBeUndefined();
  },
);

it.each([
  ['MATCH (u\nRETRN u', 'line 2:0 unexpected RETRN', 9],
  ['MATCH (u\nRETRN u', 'Line 1:8 unexpected', 8],
  ['MATCH', 'line 1:99 unexpected end', 5],
  ['MATCH', 'line 3:0 unexpected', undefined],
  ['MATCH', 'the query took too long', undefined],
])('finds in %j the place of %j', (query, message, offset) => {
  expect(faultOffset(query, message)).toBe(offset);
});

it.each([
  [
    "Line 1:14 mismatched input 'RETURN' expecting ')'",
    "Line 1, column 15: found 'RETURN', expected ')'",
    'Close the bracket before this place with )',
  ],
  [
    "line 2:0 mismatched input 'RETRN' expecting RETURN",
    "Line 2, column 1: found 'RETRN', expected RETURN",
    undefined,
  ],
  ['line 1:3 unknown function f', 'Line 1, column 4: unknown function f', undefined],
  ['The query took too long', 'The query took too long', undefined],
])('says %j with its place and a hint', (message, text, hint) => {
  expect(refusedWords(message)).toEqual({ text, ...(hint !== undefined && { hint }) });
});

it('a refused query fails again, other failures do not', () => {
  const failure = (status: number) =>
    new ApiError({
      status,
      context: '',
      messages: ['line 1:0 unexpected'],
      requestId: undefined,
      retryAfter: undefined,
    });
  expect(isRefusedQuery({ mode: 'query' }, failure(400))).toBe(true);
  expect(isRefusedQuery({ mode: 'query' }, failure(504))).toBe(false);
  expect(isRefusedQuery({ mode: 'path' }, failure(400))).toBe(false);
  expect(isRefusedQuery({ mode: 'query' }, new Error('line 1:0'))).toBe(false);
});
