/** The attributes whose last writes a collector reads, the service shows, and the documentation lists. */
import { readFile } from 'node:fs/promises';
import { WRITTEN_ATTRIBUTES } from '@clew/collect/testing';
import { expect, it } from 'vitest';

const textOf = (path: string): Promise<string> =>
  readFile(new URL(`../../../../${path}`, import.meta.url), 'utf8');

const unique = (matches: Iterable<RegExpExecArray>): readonly string[] =>
  [...new Set([...matches].map(([, name = '']) => name))].sort();

const written = [...WRITTEN_ATTRIBUTES.values()].sort();

it('are those behind the facts of which the service shows the last write', async () => {
  // Its tables are not exported: places of relationships, then attributes by property.
  const reader = await textOf('packages/plans/src/tasks/lastWrites.ts');
  const ofRelations = reader.matchAll(/\battribute: '([^']+)'/g);
  const ofProperties = reader.matchAll(/^ {2}[a-z]+: '([^']+)',$/gm);
  expect(unique([...ofRelations, ...ofProperties])).toEqual(written);
});

it('are listed in the documentation', async () => {
  const [, section = ''] =
    /^`--writes` also reads(.*?)Any account/ms.exec(await textOf('docs/collect.md')) ?? [];
  expect(unique(section.matchAll(/`([^`]+)`/g))).toEqual(written);
});
