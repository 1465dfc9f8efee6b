import { expect, it } from 'vitest';
import { faultOffset, parametersIn, parameterValue, typedParameters } from './queryText.ts';

it.each([
  ['MATCH (u:User {name: $name}) WHERE u.x = $x OR u.y = $name RETURN u', ['name', 'x']],
  ["RETURN \"$no\", 'it\\'s $no', `$no`, $yes // $no\n/* $no */ + $also", ['yes', 'also']],
  ["RETURN 'open $no", []],
  ['RETURN /* open $no', []],
  ['RETURN $1', []],
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
  [undefined, {}],
  ['{"a":"1","b":2,"c":null}', { a: '1' }],
  ['["a"]', {}],
  ['null', {}],
  ['{', {}],
])('reads %j of an address as %j', (text, typed) => {
  expect(typedParameters(text)).toEqual(typed);
});

it.each([
  ['MATCH (u\nRETRN u', 'line 2:0 unexpected RETRN', 9],
  ['MATCH (u\nRETRN u', 'Line 1:8 unexpected', 8],
  ['MATCH', 'line 1:99 unexpected end', 5],
  ['MATCH', 'line 3:0 unexpected', undefined],
  ['MATCH', 'the query took too long', undefined],
])('finds in %j the place of %j', (query, message, offset) => {
  expect(faultOffset(query, message)).toBe(offset);
});
