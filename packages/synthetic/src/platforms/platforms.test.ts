import { describe, expect, test } from 'vitest';
import type { GeneratedFile } from '../write.ts';
import { generatePlatforms } from './platforms.ts';

// biome-ignore lint/suspicious/noExplicitAny: files are read as a reader finds them.
type Json = any;

const OPTIONS = { users: 300, seed: 11 };
const textOf = ({ text }: GeneratedFile): string => [...text(() => {})].join('');
const readAll = (files: readonly GeneratedFile[]): Json[] => files.map((file) => JSON.parse(textOf(file)));

describe('platforms of an organization', () => {
  const { definitions, payloads, route } = generatePlatforms(OPTIONS);
  const graphs = readAll(payloads).map(({ graph }) => graph);
  const nodes = graphs.flatMap((graph) => graph.nodes);
  const edges = graphs.flatMap((graph) => graph.edges);

  test('are the same for the same seed, and different for another seed', () => {
    const texts = (seed: number) => {
      const made = generatePlatforms({ ...OPTIONS, seed });
      return [...made.definitions, ...made.payloads].map(textOf);
    };
    expect(texts(11)).toEqual(texts(11));
    // Definitions do not depend on the seed.
    expect(texts(12).slice(0, 3)).toEqual(texts(11).slice(0, 3));
    for (const [at, text] of texts(12).slice(3).entries()) expect(text).not.toBe(texts(11)[at + 3]);
  });

  test('have a phrase for each kind of relationship that differs from its name', () => {
    const kinds = readAll(definitions).flatMap(({ relationship_kinds }) => relationship_kinds);
    expect(kinds.length).toBeGreaterThan(20);
    for (const { name, phrase } of kinds)
      expect([name, phrase]).toEqual([name, expect.stringMatching(/^[a-z ]+$/)]);
  });

  test.each([1, 5, 60, 3000])('of %i users refer to no end that no file describes', (users) => {
    const made = readAll(generatePlatforms({ users, seed: 3 }).payloads).map(({ graph }) => graph);
    const known = made.flatMap((graph) => graph.nodes);
    const ids = new Set(known.map(({ id }) => id));
    const names = new Map(
      known.map(({ kinds, properties }) => [`${kinds[0]} ${properties.name}`.toUpperCase(), 1]),
    );
    for (const { start, end } of made.flatMap((graph) => graph.edges))
      for (const one of [start, end]) {
        if (one.match_by === 'name') expect(names.has(`${one.kind} ${one.value}`.toUpperCase())).toBe(true);
        else if (one.kind === undefined) expect(ids.has(one.value)).toBe(true);
        else expect(one.value).toMatch(/^S-1-5-21-/);
      }
    expect(ids.size).toBe(known.length);
  });

  test('have ids that differ only in case, in the one source that declares them case-sensitive', () => {
    const upper = nodes.map(({ id }) => id.toUpperCase());
    expect(new Set(upper).size).toBe(nodes.length - 1);
    expect(readAll(payloads).map(({ metadata }) => metadata.case_sensitive_ids)).toEqual([
      undefined,
      true,
      undefined,
    ]);
    expect(readAll(definitions).map(({ schema }) => schema.case_sensitive_ids)).toEqual([
      undefined,
      true,
      undefined,
    ]);
  });

  test('use kinds and relationships of their own definitions, including all that are steps', () => {
    const kindsOf = (list: string) => readAll(definitions).flatMap((definition) => definition[list]);
    const used = new Set(edges.map(({ kind }) => kind));
    const declared = kindsOf('relationship_kinds');
    for (const kind of used) expect(declared.map(({ name }) => name)).toContain(kind);
    for (const { name, is_traversable } of declared) if (is_traversable) expect(used).toContain(name);
    expect(new Set(nodes.map(({ kinds }) => kinds[0]))).toEqual(
      new Set(kindsOf('node_kinds').map(({ name }) => name)),
    );
  });

  test('have a path from an easily phished account, over a workflow, to a Tier Zero account', () => {
    const byName = new Map(nodes.map(({ id, properties }) => [properties.name.toUpperCase(), id]));
    const idOf = (end: Json) => (end.match_by === 'name' ? byName.get(end.value.toUpperCase()) : end.value);
    const walk = (from: string, kinds: readonly string[]): string[] =>
      kinds.reduce(
        (reached, kind) =>
          edges
            .filter((edge) => edge.kind === kind && reached.includes(idOf(edge.start)))
            .map((edge) => idOf(edge.end)),
        [from],
      );
    const { id: phished, properties } = nodes.find(({ id }) => id.toUpperCase() === route.from);
    expect(properties).toMatchObject({ mfa: 'sms', name: route.fromName });
    const code = ['Hub_SignsInAs', 'Hub_MemberOf', 'Hub_CanWrite', 'Hub_Runs', 'Hub_UsesSecret'];
    expect(walk(phished, [...code, 'Hub_CredentialOf'])).not.toEqual([]);
  });
});
