/**
 * Which kinds of edges a path may use, from the parameters `relationship_kinds` and `only_traversable`.
 * Rule: `docs/reference/queries.md#paths`.
 */

import { isAttackStep } from '@clew/analysis';
import { apiError } from '@clew/common';
import type { Generation } from '@clew/generation';
import { EDGE_KINDS, RETIRED_EDGE_KINDS, type RulesMode } from '@clew/model';

/** Characters shown of a name that is not known. */
const MAX_SHOWN = 128;

const FORMAT = /^(in|nin):(\w+(?:,\w+)*)$/;

/**
 * Kinds of OpenGraph sources count as traversable where a definition says that control flows along them. Rule:
 * `docs/reference/collections.md#opengraph-edges`.
 * @returns numbers of the kinds to walk, absent for every kind, and whether edges are left out that pass no control on
 * @throws ApiError 400 for a malformed list, an unknown kind, or when no kind is left
 */
export function parseEdgeKindFilter(
  generation: Generation,
  relationshipKinds: string | undefined,
  asked: boolean | undefined,
  rules: RulesMode,
): { readonly kinds?: readonly number[]; readonly onlyPassing: boolean } {
  // Asked for a path, a defender asks whether control can be had: an edge without control is not an answer, unless it
  // was named. (The original walks every kind.)
  const onlyTraversable = asked ?? (rules === 'clean' && !/^\s*in:/.test(relationshipKinds ?? ''));
  if (relationshipKinds === undefined && !onlyTraversable) return { onlyPassing: false };
  const kinds = new Map(EDGE_KINDS.map(({ name, id, traversable }) => [name, { id, traversable }]));
  for (const [id, name] of generation.customEdgeKinds)
    kinds.set(name, { id, traversable: isAttackStep(generation.graph, id) });

  const { isNegated, named } = parseList(relationshipKinds, kinds);
  const chosen = [...kinds]
    .filter(([name, { traversable }]) => (traversable || !onlyTraversable) && named.has(name) !== isNegated)
    .map(([, { id }]) => id);
  // An old saved question may name a deleted kind, which has no edges.
  const isRetired = !isNegated && [...named].some((name) => RETIRED_EDGE_KINDS.has(name));
  if (chosen.length === 0 && !isRetired) throw apiError('noEdgesToTraverse');
  return { kinds: chosen, onlyPassing: onlyTraversable };
}

function parseList(text: string | undefined, kinds: ReadonlyMap<string, unknown>) {
  if (text === undefined) return { isNegated: true, named: new Set<string>() };
  const match = FORMAT.exec(text.replaceAll(' ', ''));
  if (match === null) throw apiError('malformedRelationshipKinds');
  const named = new Set(match[2].split(','));
  for (const name of named) {
    if (!kinds.has(name) && !RETIRED_EDGE_KINDS.has(name))
      throw apiError('unknownRelationshipKinds', {
        unknown: name.slice(0, MAX_SHOWN),
        kinds: `[${[...kinds.keys()].join(', ')}]`,
      });
  }
  return { isNegated: match[1] === 'nin', named };
}
