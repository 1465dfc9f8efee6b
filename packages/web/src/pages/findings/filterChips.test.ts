import { expect, it } from 'vitest';
import { suggestionsFor } from './filterChips.ts';

const types = [
  { finding: 'DCSync', title: 'Non Tier Zero Principals with DCSync' },
  { finding: 'T0HighDelegation', title: 'Highly Delegated' },
];

const owners = [
  { id: 'a-1', name: 'Ann' },
  { id: 'b-2', name: 'Bob' },
];

it('typed text is a value, a part of a text, or a filter by its name', () => {
  expect(suggestionsFor('dcsync', types).map(({ name, value }) => [name, value])).toEqual([
    ['text', 'dcsync'],
    ['type', 'DCSync'],
    ['principal', 'dcsync'],
    ['target', 'dcsync'],
  ]);
  expect(suggestionsFor('severity:hi', types).map(({ value }) => value)).toEqual(['high']);
  expect(suggestionsFor('principal:SVC', types)).toEqual([
    { name: 'principal', value: 'SVC', words: 'Principal contains "SVC"' },
  ]);
  expect(suggestionsFor('ADA', types).map(({ name }) => name)).toEqual(['text', 'principal', 'target']);
});

it('an empty box offers filters with few values', () => {
  const names = new Set(suggestionsFor('', types, owners).map(({ name }) => name));
  expect([...names]).toEqual(['severity', 'status', 'owner']);
});

it('owners are suggested by name', () => {
  expect(suggestionsFor('owner:an', types, owners)).toEqual([
    { name: 'owner', value: 'a-1', words: 'Owner: Ann' },
  ]);
  expect(suggestionsFor('owner:', types, owners).map(({ value }) => value)).toEqual(['me', 'none']);
});

it('the beginning of the name of a filter lists its values', () => {
  expect(
    suggestionsFor('sev', types)
      .map(({ words }) => words)
      .slice(0, 2),
  ).toEqual(['Severity: Critical', 'Severity: High']);
  expect(suggestionsFor('owner', types, owners).map(({ value }) => value)).toEqual(
    expect.arrayContaining(['me', 'none', 'b-2']),
  );
  expect(suggestionsFor('typ', types).map(({ name }) => name)).toContain('type');
});
