import type { Filter } from '@clew/common';
import type { Generation } from '@clew/generation';
import { expect, it } from 'vitest';
import { withNamedTypes } from './findingTypeNames.ts';

it('names types only in filters of the type, and not where a part of a name is sought', () => {
  const generation = { graph: { declared: { findings: [], checks: [] } } } as unknown as Generation;
  const named = (column: string, predicate: string, value: unknown = 't0genericall') =>
    withNamedTypes(generation, [{ column, predicate, value } as unknown as Filter])[0]?.value;
  expect(named('finding', 'eq')).toBe('T0GenericAll');
  expect(named('finding', 'neq')).toBe('T0GenericAll');
  expect(named('finding', '~eq')).toBe('t0genericall');
  // A principal can have the name of a type.
  expect(named('source_principal_name', 'eq')).toBe('t0genericall');
  expect(named('finding', 'eq', 7)).toBe(7);
});
