/**
 * Reads the tests of a definition: data, and the expected results of each part of the definition. The service
 * accepts them, but does not run them.
 *
 * Rule: `docs/extensions.md#tests`.
 */

import { didYouMean } from '@clew/cypher';
import type { StoredDefinition } from '@clew/store';
import { shown } from './faults.ts';
import { isObject, type JsonObject, type Members } from './members.ts';

const MAX_TESTS = 200;
const MAX_NAME = 250;
const MAX_DATA = 50;
const MAX_FOUND = 10_000;

/** Parts with results, in the order in which tests compare them. */
export const TESTED_PARTS = [
  ...['derived_relationships', 'identities', 'privilege_zone_rules', 'node_findings'],
  ...['relationship_findings', 'saved_searches'],
] as const;
export type TestedPart = (typeof TESTED_PARTS)[number];

export interface Expectation {
  readonly part: TestedPart;
  /** Name of the entry; for derived relationships and identities, their kind. */
  readonly name: string;
  /** Expected number of results, or their ids: `A` for an object, `A -> B` for a relationship. */
  readonly finds: number | readonly string[];
}

export interface ExtensionTest {
  readonly name: string;
  /** Payloads, or paths of files in the bundle. */
  readonly data: readonly (string | JsonObject)[];
  readonly expectations: readonly Expectation[];
}

type Entries = Pick<StoredDefinition, TestedPart | 'relationship_kinds'>;

/** @param samples paths of the files in the bundle; absent for a definition without a bundle */
export function readTests(
  root: Members,
  definition: Entries,
  samples: ReadonlySet<string> = new Set(),
): ExtensionTest[] {
  const known = namesOf(definition);
  return root.objects('tests', MAX_TESTS).map((test) => ({
    name: test.text('name', { required: true, max: MAX_NAME }),
    data: dataOf(test, samples),
    expectations: expectationsOf(test, known),
  }));
}

function namesOf(definition: Entries): Readonly<Record<TestedPart, ReadonlySet<string>>> {
  const named = (part: readonly { readonly name: string }[] | undefined) =>
    new Set((part ?? []).map(({ name }) => name));
  const ofKinds = (part: readonly { readonly kind: string }[] | undefined) =>
    new Set((part ?? []).map(({ kind }) => kind));
  const traversable = definition.relationship_kinds.filter(({ is_traversable }) => is_traversable);
  return {
    derived_relationships: ofKinds(definition.derived_relationships),
    identities: ofKinds(definition.identities),
    privilege_zone_rules: named(definition.privilege_zone_rules),
    node_findings: named(definition.node_findings),
    // Each traversable kind is also a finding type.
    relationship_findings: new Set([...named(definition.relationship_findings), ...named(traversable)]),
    saved_searches: named(definition.saved_searches),
  };
}

function dataOf(test: Members, samples: ReadonlySet<string>): ExtensionTest['data'] {
  const given = test.value('data');
  if (given === undefined || given === null) {
    test.fault('data', 'is missing');
    return [];
  }
  const list = Array.isArray(given) ? given : [given];
  if (list.length > MAX_DATA) test.fault('data', `has more than ${MAX_DATA} elements`);
  return list.slice(0, MAX_DATA).flatMap((one: unknown, at): (string | JsonObject)[] => {
    const fault = (message: string): [] => {
      const pointer = Array.isArray(given) ? `${test.at('data')}/${at}` : test.at('data');
      test.faultAt(pointer, message);
      return [];
    };
    if (typeof one === 'string')
      return samples.has(one)
        ? [one]
        : fault(`is not a file of this bundle: ${shown(one)}${didYouMean(one, samples)}`);
    if (!isObject(one)) return fault(`is neither a payload nor the path of one: ${shown(one)}`);
    return isObject(one.graph) ? [one] : fault('is not an OpenGraph payload: it has no "graph"');
  });
}

function expectationsOf(
  test: Members,
  known: Readonly<Record<TestedPart, ReadonlySet<string>>>,
): Expectation[] {
  const expect = test.object('expect', true);
  if (expect === undefined) return [];
  for (const name of expect.names)
    if (!TESTED_PARTS.some((part) => part === name))
      expect.fault(name, `is not one of ${TESTED_PARTS.join(', ')}${didYouMean(name, TESTED_PARTS)}`);
  const expectations = TESTED_PARTS.flatMap((part) => {
    const entries = expect.object(part);
    if (entries === undefined) return [];
    return entries.names.flatMap((name): Expectation[] => {
      if (!known[part].has(name))
        entries.fault(name, `is not an entry of ${part} of this definition${didYouMean(name, known[part])}`);
      const finds = findsIn(entries, name, part);
      return finds === undefined ? [] : [{ part, name, finds }];
    });
  });
  if (expectations.length === 0 && expect.names.length === 0) test.fault('expect', 'is empty');
  return expectations;
}

function findsIn(entries: Members, name: string, part: TestedPart): Expectation['finds'] | undefined {
  if (!Array.isArray(entries.value(name))) return entries.integer(name, 0, true);
  if (part === 'saved_searches') {
    entries.fault(name, 'is a list: only the number of rows of a search can be compared');
    return undefined;
  }
  return entries.texts(name, MAX_FOUND).map(({ text }) => text);
}
