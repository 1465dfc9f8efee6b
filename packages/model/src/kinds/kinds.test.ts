import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EDGE_DEFINITIONS } from '../edgeKinds.ts';
import { NODE_DEFINITIONS } from '../nodeKinds.ts';
import { EDGE_CATEGORIES } from './edgeCategories.ts';
import type { RuleText } from './edgeDefinition.ts';

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(import.meta.dirname, folder))
    .filter((name) => name !== 'index.ts')
    .map((name) => basename(name, '.ts'));

describe.each([
  ['edges', EDGE_DEFINITIONS],
  ['nodes', NODE_DEFINITIONS],
] as const)('definitions of %s', (folder, definitions) => {
  it('have a file each with the same name, and a row in the index', () => {
    expect(filesIn(folder).toSorted()).toEqual(definitions.map(([name]) => name).toSorted());
  });

  it('have unique numbers, below those of other sources', () => {
    const ids = definitions.map(([, { id }]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toBeGreaterThan(0);
    expect(Math.max(...ids)).toBeLessThan(1000);
  });
});

describe('an edge kind', () => {
  it.each(EDGE_DEFINITIONS)('%s has a phrase and two sentences', (_, definition) => {
    const { category, phrase, meaning, removal } = definition;
    expect(Object.keys(EDGE_CATEGORIES)).toContain(category);
    expect(category).not.toBe('other');
    expect(phrase).toMatch(/^[a-z].*[a-zA-Z,]$/);
    for (const sentence of [meaning, removal]) expect(sentence).toMatch(/^[A-Z].*[^.]\.$/);
  });

  it('belongs to the cloud exactly if its name indicates it', () => {
    for (const [name, { platform }] of EDGE_DEFINITIONS)
      expect([name, platform]).toEqual([name, name.startsWith('AZ') ? 'azure' : expect.any(String)]);
  });

  it('that is only collected has no rule', async () => {
    for (const [name, { origin }] of EDGE_DEFINITIONS) {
      const { rule } = (await import(`./edges/${name}.ts`)) as { readonly rule?: RuleText };
      if (origin === 'collected') expect([name, rule]).toEqual([name, undefined]);
    }
  });
});

describe('a node kind', () => {
  it.each(NODE_DEFINITIONS)('%s has a label, a meaning and a look', (name, definition) => {
    const { label, meaning, look, appearance } = definition;
    expect(label).toMatch(/^[A-Z]/);
    expect(meaning).toMatch(/^[A-Z].*[^.]\.$/);
    expect(look.letters).toMatch(/^[A-Z][a-z]$/);
    expect(appearance.color).toMatch(/^#[0-9a-f]{6}$/);
    // Only nodes whose kind was not collected have the icon of unknown kinds.
    expect(appearance.icon === 'fa-question').toBe(name === 'Base' || name === 'AZBase');
  });

  it('has unique letters', () => {
    const letters = NODE_DEFINITIONS.map(([, { look }]) => look.letters);
    expect(new Set(letters).size).toBe(letters.length);
  });
});
