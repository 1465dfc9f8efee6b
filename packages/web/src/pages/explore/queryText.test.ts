import { expect, it } from 'vitest';
import {
  faultOffset,
  hasAllValues,
  parametersIn,
  parameterValue,
  parameterValues,
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
