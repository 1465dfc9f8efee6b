/**
 * The edge kinds that a path may use, from the parameters `relationship_kinds` and `only_traversable`. Rule:
 * `docs/reference/queries.md#paths`.
 */

import { isAttackStep } from '@clew/analysis';
import { apiError } from '@clew/common';
import type { Generation } from '@clew/generation';
import { EDGE_KINDS, RETIRED_EDGE_KINDS, type RulesMode } from '@clew/model';

/** Maximum characters shown of an unknown name. */
const MAX_SHOWN = 128;

const FORMAT = /^(in|nin):(\w+(?:,\w+)*)$/;

/**
 * Kinds of OpenGraph sources count as traversable if a definition declares that they pass on control. Rule:
 * `docs/reference/collections.md#opengraph-edges`.
 * @returns kind numbers to follow, absent for every kind, and whether edges that pass on no control are excluded
 * @throws ApiError 400 for a malformed list, an unknown kind, or if no kind remains
 */
export function parseEdgeKindFilter(
  generation: Generation,
  relationshipKinds: string | undefined,
  asked: boolean | undefined,
  rules: RulesMode,
): { readonly kinds?: readonly number[]; readonly onlyPassing: boolean } {
  // A path shows a defender whether control is possible: an edge without control is not an answer, unless it was named. (The original
  // follows every kind.)
  const onlyTraversable = asked ?? (rules === 'clean' && !/^\s*in:/.test(relationshipKinds ?? ''));
  if (relationshipKinds === undefined && !onlyTraversable) return { onlyPassing: false };
  const kinds = new Map(EDGE_KINDS.map(({ name, id, traversable }) => [name, { id, traversable }]));
  for (const [id, name] of generation.customEdgeKinds)
    kinds.set(name, { id, traversable: isAttackStep(generation.graph, id) });

  const { isNegated, named } = parseList(relationshipKinds, kinds);
  const chosen = [...kinds]
    .filter(([name, { traversable }]) => (traversable || !onlyTraversable) && named.has(name) !== isNegated)
    .map(([, { id }]) => id);
  // An old saved query may name a retired kind, which has no edges.
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
