/**
 * Built-in edge kinds, with the traits that other packages use; each has a file in `kinds/edges`. The store registers kinds of OpenGraph
 * sources at run time, with numbers from `FIRST_CUSTOM_KIND` on.
 *
 * Rule: `docs/reference/collections.md#kinds`.
 */
import type { EdgeDefinition, EdgeOrigin, EdgeText, EdgeTrait } from './kinds/edgeDefinition.ts';
import * as definitions from './kinds/edges/index.ts';
import type { Platform } from './kinds/nodeDefinition.ts';
import { kindWords } from './kindWords.ts';

export interface EdgeKindTraits {
  /** Number in the store and in graph columns. Never renumber: it is persisted. */
  readonly id: number;
  readonly name: string;
  readonly platform: Platform;
  readonly origin: EdgeOrigin;
  /** Control of the start leads to control of the end: the edge is part of attack paths. */
  readonly traversable: boolean;
  /** The edge is a right in the access list of its end (controllers and controllables). */
  readonly acl: boolean;
  /** Member of the Azure inbound and outbound control set. */
  readonly azureControl: boolean;
  /** Member of the Azure execution set. */
  readonly azureExecution: boolean;
  /** Derived only if a feature flag enables it. */
  readonly experimental: boolean;
}

type Definitions = typeof definitions;

export type EdgeKindName = keyof Definitions;

/** Kinds that are part of attack paths. */
export type TraversableKindName = {
  [Name in EdgeKindName]: 'traversable' extends Definitions[Name]['traits'][number] ? Name : never;
}[EdgeKindName];

/** The definitions, in the order of their numbers. */
export const EDGE_DEFINITIONS: readonly (readonly [EdgeKindName, EdgeDefinition])[] = (
  Object.entries(definitions) as [EdgeKindName, EdgeDefinition][]
).sort(([, a], [, b]) => a.id - b.id);

export const EDGE_KINDS: readonly EdgeKindTraits[] = EDGE_DEFINITIONS.map(([name, definition]) => {
  const { id, platform, origin } = definition;
  const traits: readonly EdgeTrait[] = definition.traits;
  return {
    id,
    name,
    platform,
    origin,
    traversable: traits.includes('traversable'),
    acl: traits.includes('acl'),
    azureControl: traits.includes('azureControl'),
    azureExecution: traits.includes('azureExecution'),
    experimental: traits.includes('experimental'),
  };
});

/** Number of each built-in edge kind by its name: `EdgeKind.MemberOf === 1`. */
export const EdgeKind = Object.fromEntries(EDGE_KINDS.map(({ id, name }) => [name, id])) as {
  readonly [Name in EdgeKindName]: number;
};

/** Above all registered kinds, for graphs that replace the kind of an edge. */
export const LAST_EDGE_KIND = 0xffff;

const byName: ReadonlyMap<string, EdgeKindTraits> = new Map(EDGE_KINDS.map((kind) => [kind.name, kind]));
const byId: ReadonlyMap<number, EdgeKindTraits> = new Map(EDGE_KINDS.map((kind) => [kind.id, kind]));
const texts: ReadonlyMap<string, EdgeText> = new Map(
  EDGE_DEFINITIONS.map(([name, { category, phrase, meaning, removal }]) => [
    name,
    { category, phrase, meaning, removal },
  ]),
);

/** @returns the traits of a built-in kind; `undefined` for any other name. Case-sensitive. */
export function edgeKindByName(name: string): EdgeKindTraits | undefined {
  return byName.get(name);
}

/** @returns the traits of a built-in kind; `undefined` for a custom one */
export function edgeKindById(id: number): EdgeKindTraits | undefined {
  return byId.get(id);
}

/**
 * @param namespace of the extension that declares the kind, if any @returns the texts of a kind; the phrase of a kind of another source
 * consists of the words of its name
 */
export function edgeText(kind: string, namespace?: string): EdgeText {
  return (
    texts.get(kind) ?? {
      category: 'other',
      phrase: kindWords(kind, namespace),
      meaning: 'A kind of relationship from an upload.',
      removal: 'Remove it on the platform that the upload describes.',
    }
  );
}

/** @returns each phrase once: "can get a certificate in anyone's name in, and owns", to be followed by the target */
export const phrasesText = (kinds: readonly string[], phraseOf: (kind: string) => string): string =>
  [...new Set(kinds.map(phraseOf))].join(', and ');

/** Kinds of earlier releases of public tools: for queries with these kinds, no such edges exist. */
export const RETIRED_EDGE_KINDS: ReadonlySet<string> = new Set([
  'TrustedBy',
  'RemoteInteractiveLogonPrivilege',
]);
