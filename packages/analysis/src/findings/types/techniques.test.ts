import { describe, expect, it } from 'vitest';
import { FINDING_TYPES } from './catalog.ts';
import { techniqueReference, techniquesOf } from './techniques.ts';

describe('techniques', () => {
  it.each(FINDING_TYPES)('of $id are known by their numbers and names', (type) => {
    for (const technique of techniquesOf(type)) {
      const { title, url } = techniqueReference(technique);
      expect(title).toMatch(/^MITRE ATT&CK T\d{4}(\.\d{3})?: [A-Z]/);
      expect(url).toBe(`https://attack.mitre.org/techniques/${technique.replace('.', '/')}/`);
    }
  });

  it('are named for every opening', () => {
    const without = FINDING_TYPES.filter(
      (type) =>
        (type.kind === 'relationship' || type.nature === 'opening') && techniquesOf(type).length === 0,
    );
    expect(without.map(({ id }) => id)).toEqual([]);
  });
});
