import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longFunctionsBelow, longFunctionsIn } from './functionSizes.ts';

const body = (lines: number): string => Array.from({ length: lines }, () => '  act();\n').join('');

test('a function has the lines from its name to its end, with its parameters', () => {
  const text = `const A = 1;\n\nexport function Page({\n  a,\n}: {\n  readonly a: string;\n}) {\n${body(3)}}\n`;
  expect(longFunctionsIn(text, 8)).toEqual([{ name: 'Page', line: 3, lines: 9 }]);
  expect(longFunctionsIn(text, 9)).toEqual([]);
});

test('constants, default exports and asynchronous functions count', () => {
  const text = `export const useIt = () => {\n${body(3)}};\n\nexport default function Page() {\n${body(3)}}\n\nasync function* read() {\n${body(3)}}\n`;
  expect(longFunctionsIn(text, 4).map(({ name }) => name)).toEqual(['useIt', 'Page', 'read']);
});

test('a body without braces counts, in parentheses, brackets, or on a separate line', () => {
  const parameters = '({\n  a,\n}: {\n  readonly a: string;\n}) =>';
  const text = `const Page = ${parameters} (\n${body(3)});\n\nconst names = ${parameters} [\n${body(3)}];\n\nconst name = ${parameters}\n${body(3)}\ninterface Next {\n${body(5)}}\n`;
  expect(longFunctionsIn(text, 7).map(({ name, lines }) => [name, lines])).toEqual([
    ['Page', 9],
    ['names', 9],
    ['name', 8],
  ]);
});

test('no function of the web interface is too long', () => {
  expect(longFunctionsBelow(join(import.meta.dirname, '..'))).toEqual([]);
});
