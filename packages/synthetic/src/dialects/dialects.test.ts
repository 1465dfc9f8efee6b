import { describe, expect, it } from 'vitest';
import { generateForest } from '../collection.ts';
import { planForest } from '../plan.ts';
import { ROLE_GROUPS } from '../roleGroups.ts';
import type { DialectName } from './dialect.ts';
import { ENGLISH, PLAIN } from './english.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import { DIALECTS } from './index.ts';
import { SPANISH } from './spanish.ts';

const NAMES = Object.keys(DIALECTS) as DialectName[];
const OPTIONS = { users: 500, shape: 3, domains: 1 } as const;
const seedOf = (name: DialectName): number => {
  for (let seed = 0; seed < 200; seed++)
    if (planForest({ ...OPTIONS, seed }).domains[0]?.dialect === name) return seed;
  throw new Error(`no seed speaks ${name}`);
};

describe.each(NAMES)('an organization with names in %s', (name) => {
  it('has names in upper case, each unique among groups, users and computers', () => {
    for (const file of generateForest({ ...OPTIONS, seed: seedOf(name) }).files) {
      if (!['groups', 'users', 'computers', 'gpos'].includes(file.type)) continue;
      const names = new Set<string>();
      for (const { Properties, Aces } of file.objects()) {
        const text = String(Properties.name);
        expect(text).toBe(text.toUpperCase());
        // Readers compare names in both cases.
        expect(text.toLowerCase().toUpperCase()).toBe(text);
        if (Aces.length === 0) continue;
        expect(names.has(text), text).toBe(false);
        names.add(text);
      }
    }
  });

  it('gives distinct names to fourteen departments and every role', () => {
    const dialect = DIALECTS[name];
    expect(new Set(dialect.departments).size).toBe(14);
    expect(new Set(ROLE_GROUPS.map(dialect.role)).size).toBe(ROLE_GROUPS.length);
  });
});

it.each([
  ['german', GERMAN, 'DOMÄNEN-ADMINS'],
  ['french', FRENCH, 'ADMINS DU DOMAINE'],
  ['spanish', SPANISH, 'ADMINS. DEL DOMINIO'],
] as const)(
  'the built-in objects of every domain have the names of a %s installation',
  (name, words, admins) => {
    const { files, route } = generateForest({ ...OPTIONS, seed: seedOf(name) });
    const groups = files.find(({ type }) => type === 'groups');
    const names = [...(groups?.objects() ?? [])].map(({ Properties }) => String(Properties.name));
    expect(names.some((text) => text.startsWith(`${admins}@`))).toBe(true);
    expect(
      names.some((text) => /^(DOMAIN ADMINS|ADMINISTRATORS|AUTHENTICATED USERS|T0_ADMINS)@/.test(text)),
    ).toBe(false);
    expect(route.toName).toMatch(new RegExp(`^${admins}@`));
    const own = Object.values(words.builtIn);
    expect(new Set(own).size).toBe(own.length);
  },
);

it('without words for tiers or applications, no role or host has a name of another dialect', () => {
  const known = new Set(
    [ENGLISH, GERMAN, FRENCH, SPANISH, PLAIN].flatMap(({ roles }) => Object.values(roles)),
  );
  for (const role of ROLE_GROUPS.map(DIALECTS.coded.role)) {
    expect(role).toMatch(/^G\d+$/);
    expect(known.has(role)).toBe(false);
  }
});

it('shapes 1 and 2 use English, and shape 3 uses each dialect', () => {
  for (const shape of [1, 2] as const)
    for (const { dialect } of planForest({ users: 100, seed: 5, shape }).domains)
      expect(dialect).toBe('english');
  for (const name of NAMES) expect(seedOf(name)).toBeGreaterThanOrEqual(0);
});
