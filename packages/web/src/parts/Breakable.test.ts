import { expect, it } from 'vitest';
import { breakableParts } from './Breakable.tsx';

it('names are broken before their domain, and inside of words only where these are long', () => {
  expect(breakableParts('Remove ADMINS@A.EXAMPLE from SRV-1.A.EXAMPLE')).toEqual([
    ...['Remove ', 'ADMINS', '@A.EXAMPLE ', 'from ', 'SRV-1.A.EXAMPLE'],
  ]);
  expect(breakableParts('EDITF_ATTRIBUTESUBJECTALTNAME2 on X@Y')).toEqual([
    ...['EDITF_', 'ATTRIBUTESUBJECTALTNAME2 ', 'on ', 'X', '@Y'],
  ]);
  expect(breakableParts('A.B_C', 0)).toEqual(['A.', 'B_', 'C']);
  expect(breakableParts('')).toEqual(['']);
});
