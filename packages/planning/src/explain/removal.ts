/**
 * Expressions over repairs that remove a way of a relationship. A way ends as soon as one of its needs or rights ends; a right ends
 * when every alternative by which it is held is removed.
 */
import { type AnalysisContext, type HeldRight, needsOf, type Way } from '@clew/analysis';
import { edgeKindById } from '@clew/model';
import type { Alternatives } from '../relaxation/alternatives.ts';
import { type Labels, NONE, type StepLabels, united } from '../relaxation/stepLabels.ts';

/** `anyOf`: one of the parts suffices; `allOf`: every part is needed, and none of an empty list is known. Labels: any of the repairs. */
export type Removal =
  | Labels
  | { readonly anyOf: readonly Removal[] }
  | { readonly allOf: readonly Removal[] };

/** Repairs that are made together; each set contains the repairs of which any removes its part. */
export type Clauses = readonly ReadonlySet<number>[];

/** Maximum number of combinations of one way; beyond it, only single repairs count. */
const MAX_COMBINATIONS = 32;

const isLabels = (removal: Removal): removal is Labels => Array.isArray(removal);

export interface RemovalInput {
  readonly context: AnalysisContext;
  readonly labels: StepLabels;
  readonly alternatives: Alternatives;
}

/** @param start a start of the way @param end an end of the way */
export const removalOfWay = (input: RemovalInput, way: Way, start: number, end: number): Removal => ({
  anyOf: [
    ...needsOf(way, end).map((need) => input.labels.ofNeed(need)),
    ...removalsOfRights(input, way, start, end),
  ],
});

/** Whether the directory has the object: collectors know only the id of a deleted account. */
const isDescribed = (context: AnalysisContext, node: number): boolean =>
  (['User', 'Computer', 'Group'] as const).some((kind) => context.nodesOf(kind).has(node));

/** @returns for each right that the way needs, the repairs that remove it */
export function removalsOfRights(
  { context, labels, alternatives }: RemovalInput,
  { rights = [], endRights = [], victims, someone }: Way,
  start: number,
  end: number,
): readonly Removal[] {
  const of = (node: number, right: HeldRight): Removal => {
    const held = alternatives.held(right);
    // A deleted account has its own rights, but does not log on, so it has none of Authenticated Users.
    const isDeleted = held.holders.has(node) && !isDescribed(context, node);
    return { allOf: isDeleted ? alternatives.own(node, held) : alternatives.of(node, held) };
  };
  const found = endRights.map((right) => of(end, right));
  if (someone !== undefined) {
    const { nodes, except, right } = someone;
    found.push({ allOf: alternatives.ofSomeone(nodes, except, alternatives.held(right)) });
  }
  if (victims === undefined) return [...found, ...rights.map((right) => of(start, right))];
  const routes: Removal[] = [];
  context.edges(...victims.control).outOf(start, (node, kind) => {
    const name = victims.control.find((each) => each === edgeKindById(kind)?.name);
    if (name === undefined || !victims.nodes.has(node)) return;
    const control = labels.ofNeed({ start, kind: name, end: node });
    routes.push({ anyOf: [control, ...rights.map((right) => of(node, right))] });
  });
  return [...found, { allOf: routes }];
}

/** @returns the repairs that each remove the whole alone */
export function removingAlone(removal: Removal): Labels {
  if (isLabels(removal)) return removal;
  if ('anyOf' in removal) return united(...removal.anyOf.map(removingAlone));
  return common(removal.allOf.map(removingAlone));
}

/** @returns every repair that removes the whole or a part of it, in the order of the parts */
export function repairsIn(removal: Removal): Labels {
  if (isLabels(removal)) return removal;
  return [...new Set(('anyOf' in removal ? removal.anyOf : removal.allOf).flatMap(repairsIn))];
}

/** @returns the choices: each removes the whole if a repair of each of its sets is made; empty if no repairs remove the whole */
export function choicesOf(removal: Removal): readonly Clauses[] {
  const alone = removingAlone(removal);
  const single: readonly Clauses[] = alone.length === 0 ? [] : [[new Set(alone)]];
  const found = expanded(removal);
  return found === undefined ? single : [...single, ...found.filter((clauses) => clauses.length > 1)];
}

/** @returns undefined if there are too many combinations */
function expanded(removal: Removal): readonly Clauses[] | undefined {
  if (isLabels(removal)) return removal.length === 0 ? [] : [[new Set(removal)]];
  if ('anyOf' in removal) {
    const parts = removal.anyOf.map(expanded);
    return parts.some((part) => part === undefined) ? undefined : bounded(parts.flatMap((part) => part!));
  }
  let combined: readonly Clauses[] = removal.allOf.length === 0 ? [] : [[]];
  for (const part of removal.allOf) {
    const choices = expanded(part);
    if (choices === undefined) return undefined;
    const next = bounded(combined.flatMap((clauses) => choices.map((choice) => [...clauses, ...choice])));
    if (next === undefined) return undefined;
    combined = next;
  }
  return combined;
}

const bounded = (choices: readonly Clauses[]): readonly Clauses[] | undefined =>
  choices.length > MAX_COMBINATIONS ? undefined : choices;

/** @returns the intersection of the label sets */
export function common(all: readonly Labels[]): Labels {
  const [first = NONE, ...more] = all;
  if (more.length === 0) return first;
  const found = first.filter((place) => more.every((each) => each.includes(place)));
  return found.length === 0 ? NONE : found;
}
