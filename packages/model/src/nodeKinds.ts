/**
 * Built-in node kinds; each has a file in `kinds/nodes`. The store registers kinds of OpenGraph sources at run time, with numbers from
 * `FIRST_CUSTOM_KIND` on.
 */
import type { NodeDefinition, Platform } from './kinds/nodeDefinition.ts';
import * as definitions from './kinds/nodes/index.ts';

export interface NodeKindTraits {
  /** Number in the store and in graph columns. Never renumber: it is persisted. */
  readonly id: number;
  readonly name: string;
  readonly platform: Platform;
}

type Definitions = typeof definitions;

export type NodeKindName = keyof Definitions;

/** Names of the icons that the looks of kinds use. */
export type NodeIconName = Definitions[NodeKindName]['look']['icon'];

/** The definitions, in the order of their numbers. */
export const NODE_DEFINITIONS: readonly (readonly [NodeKindName, NodeDefinition])[] = (
  Object.entries(definitions) as [NodeKindName, NodeDefinition][]
).sort(([, a], [, b]) => a.id - b.id);

/** Kinds registered by OpenGraph sources have this number or a higher one. */
export const FIRST_CUSTOM_KIND = 1000;

export const NODE_KINDS: readonly NodeKindTraits[] = NODE_DEFINITIONS.map(([name, { id, platform }]) => ({
  id,
  name,
  platform,
}));

/** Number of each built-in node kind by its name: `NodeKind.User === 2`. */
export const NodeKind = Object.fromEntries(NODE_KINDS.map(({ id, name }) => [name, id])) as {
  readonly [Name in NodeKindName]: number;
};

const byName: ReadonlyMap<string, NodeKindTraits> = new Map(NODE_KINDS.map((kind) => [kind.name, kind]));
const byId: ReadonlyMap<number, NodeKindTraits> = new Map(NODE_KINDS.map((kind) => [kind.id, kind]));

/** @returns the traits of a built-in kind; `undefined` for any other name. Case-sensitive. */
export function nodeKindByName(name: string): NodeKindTraits | undefined {
  return byName.get(name);
}

/** @returns the traits of a built-in kind; `undefined` for a custom one */
export function nodeKindById(id: number): NodeKindTraits | undefined {
  return byId.get(id);
}

/**
 * The displayed kind of a node with several: the last known one that is neither a base kind nor ADLocalGroup; then ADLocalGroup; then a
 * custom kind; then the base kind; else `Unknown`.
 *
 * Rule: `docs/reference/queries.md#graph-answers` (display kind).
 */
export function displayKind(kinds: readonly string[]): string {
  let fallback = 'Unknown';
  let local = false;
  let custom: string | undefined;
  for (let index = kinds.length - 1; index >= 0; index--) {
    const kind = kinds[index] as string;
    if (kind === 'ADLocalGroup') local = true;
    else if (kind === 'Base' || kind === 'AZBase') fallback = kind;
    else if (byName.has(kind)) return kind;
    else if (!kind.startsWith('Tag_')) custom = kind;
  }
  if (local) return 'ADLocalGroup';
  return custom ?? fallback;
}
