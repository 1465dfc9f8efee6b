import { expect, it } from 'vitest';
import { unusedFaults } from './unusedCode.ts';

it('accepts unused names that are allowed', () => {
  expect(unusedFaults({ 'a.ts': ['one', 'two'] }, { 'a.ts': ['two', 'one'] })).toEqual([]);
});

it('reports an unused name that is not allowed, and a complete file', () => {
  expect(unusedFaults({ 'a.ts': ['one', 'two'], 'b.ts': ['*'] }, { 'a.ts': ['one'] })).toEqual([
    'a.ts: the product does not use two',
    'b.ts: the product does not use this file',
  ]);
});

it('reports an allowed name that is in use or does not exist', () => {
  expect(unusedFaults({ 'a.ts': ['one'] }, { 'a.ts': ['one', 'two'], 'b.ts': ['*'] })).toEqual([
    'a.ts: two is in use or does not exist; remove it from scripts/unusedCode/allowed.ts',
    'b.ts: * is in use or does not exist; remove it from scripts/unusedCode/allowed.ts',
  ]);
});
