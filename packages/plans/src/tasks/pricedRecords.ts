/**
 * Records of package prices: the reasons for a cost, the uses of the removed items, alternatives, open questions, and the
 * decisions at the end of a plan. Each part that names objects keeps their ids, so that only users who may see all of them see
 * the part.
 *
 * Rule: `docs/plan.md#prices`.
 */

import type {
  AlternativeRecord,
  DecisionRecord,
  PackageRecord,
  QuestionRecord,
  RepairReference,
} from '@clew/api';
import { objectIdOf } from '@clew/graph';
import { costText, counted, principalsText } from '@clew/model';
import {
  type Alternative,
  MAX_GIVEN,
  notThisText,
  type PackageQuestion,
  type PackageUses,
  type PlanDecision,
  type PlannedPackage,
  type PricedPackage,
  packageText,
  priceText,
  questionText,
  type Repair,
  reasonText,
} from '@clew/planning';
import type { PlanState } from './planState.ts';
import { exposureRecords, referenceOf } from './repairRecords.ts';
import type { Sight } from './sight.ts';

type Facts = Pick<PlanState, 'generation' | 'world'>;

/** Maximum number of references of a package, which may have hundreds of thousands of changes. */
export const MAX_REFERENCES = 1000;

/** Ids of all objects named in a text. */
interface Naming {
  readonly ids: readonly string[];
}
export type StoredAlternative = AlternativeRecord & Naming;
export type StoredQuestion = QuestionRecord & Naming;
export type StoredDecision = DecisionRecord & Naming;

export interface PricedFields extends Pick<PackageRecord, 'is_kept' | 'why' | 'prices' | 'uses'> {
  readonly not_this: readonly StoredAlternative[];
  readonly questions: readonly StoredQuestion[];
}

export function pricedFields(state: Facts, one: PlannedPackage): PricedFields {
  const { world } = state;
  return {
    is_kept: one.isKept,
    why: priceText(world, one),
    prices: one.prices.map((price) => ({
      ...{ reason: price.reason, work: price.work, breaks: price.breaks },
      text: reasonText(world, one.repairs[price.repairs[0]], price),
      change_count: price.repairs.length,
      facts: { ...price.facts },
    })),
    uses: one.uses === undefined ? null : usesRecord(one.uses),
    not_this: (one.notThis ?? []).map((other) => alternativeRecord(state, other, one.cost)),
    questions: one.questions.map((question) => questionRecord(state, one, question)),
  };
}

/** @returns the counts, with texts for those above 0 */
export function usesRecord({ active, sessions, given, templates }: PackageUses): PackageRecord['uses'] {
  const said = (count: number | undefined, text: (count: number) => string): string[] =>
    count === undefined || count === 0 ? [] : [text(count)];
  const parts = [
    ...said(
      active,
      (count) =>
        `${count.toLocaleString('en-US')} of the principals that lose access logged on in the 90 days before`,
    ),
    ...said(sessions, (count) => `${counted(count, 'session was', 'sessions were')} seen there`),
    ...said(
      given,
      (count) =>
        `the groups that they leave have rights on ${counted(count, 'object')}${given === MAX_GIVEN ? ' or more' : ''}`,
    ),
    ...said(templates, (count) => `they can enroll in ${counted(count, 'template')} there`),
  ];
  return {
    text: parts.length === 0 ? '' : sentence(parts.join('; ')),
    ...{ active_count: active ?? null, session_count: sessions ?? null },
    ...{ given_count: given ?? null, template_count: templates ?? null },
  };
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const referencesOf = ({ generation }: Facts, repairs: readonly Repair[]): RepairReference[] =>
  repairs.slice(0, MAX_REFERENCES).map((repair) => referenceOf(generation, repair));

function idsOf({ generation: { graph } }: Facts, packages: readonly PricedPackage[]): string[] {
  const nodes = new Set(
    packages.flatMap(({ subjects, repairs }) => [
      ...subjects,
      ...repairs.flatMap(({ object, principal }) =>
        principal === undefined ? [object] : [object, principal],
      ),
    ]),
  );
  return [...nodes].map((node) => objectIdOf(graph, node));
}

function alternativeRecord(state: Facts, other: Alternative, chosen: number): StoredAlternative {
  const { world } = state;
  return {
    text: notThisText(world, other, chosen),
    cost: other.cost,
    packages: other.packages.map((one) => ({
      ...{ key: one.key, kind: one.kind, title: packageText(world, one).title, cost: one.cost },
      ...{ is_kept: one.isKept, references: referencesOf(state, one.repairs) },
    })),
    ids: idsOf(state, other.packages),
  };
}

function questionRecord(state: Facts, one: PlannedPackage, question: PackageQuestion): StoredQuestion {
  const { question: text, unused, used } = questionText(state.world, one, question);
  return {
    kind: question.kind,
    question: text,
    unneeded: { text: unused, cost: question.unused.cost },
    needed: { text: used, cost: question.used?.cost ?? null },
    references: referencesOf(
      state,
      question.repairs.map((place) => one.repairs[place]),
    ),
    ids: idsOf(state, [one, ...(question.used?.packages ?? [])]),
  };
}

export function decisionRecord(state: Facts, decision: PlanDecision): StoredDecision {
  const { generation, world } = state;
  const { packages, cost, exposures, exposedBefore, exposedAfter, affected, meetsGoal } = decision;
  const records = packages.map((one) => {
    const { title, fix, check, risk } = packageText(world, one);
    return {
      ...{ key: one.key, kind: one.kind, title, fix, check, risk, cost: one.cost },
      ...{ is_kept: one.isKept, why: priceText(world, one), change_count: one.repairs.length },
      references: referencesOf(state, one.repairs),
    };
  });
  return {
    text: decisionText(records, decision),
    packages: records,
    ...{ cost, exposed_before: exposedBefore, exposed_after: exposedAfter },
    exposure: exposureRecords(generation, world, exposures),
    ...{ affected_count: affected, meets_goal: meetsGoal },
    ids: idsOf(state, packages),
  };
}

function decisionText(
  packages: DecisionRecord['packages'],
  { cost, exposedBefore, exposedAfter, affected, meetsGoal }: PlanDecision,
): string {
  const titles = packages.map(({ title }) => title).join('; ');
  const [why] = packages.map((one) => one.why).filter((text) => text !== '');
  const fewer = exposedBefore - exposedAfter;
  const sentences = [
    `${titles}?`,
    `Cost ${costText(cost)}: ${principalsText(fewer)} ${fewer === 1 ? 'loses its path' : 'lose their path'}${meetsGoal ? ', and the goal is met' : ''}.`,
    affected > 0 ? `${principalsText(affected)} ${affected === 1 ? 'loses' : 'lose'} access.` : '',
    why ?? '',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** Answers do not contain the ids. */
const withoutIds = <Part extends Naming>({ ids: _, ...part }: Part): Omit<Part, 'ids'> => part;

/** Plans of earlier releases have no prices: each change costs only its work. */
export const shownPrices = (
  one: Partial<PricedFields>,
): Pick<PackageRecord, 'is_kept' | 'why' | 'prices' | 'uses' | 'not_this' | 'questions'> => ({
  ...{ is_kept: one.is_kept ?? false, why: one.why ?? '', prices: one.prices ?? [], uses: one.uses ?? null },
  not_this: (one.not_this ?? []).map(withoutIds),
  questions: (one.questions ?? []).map(withoutIds),
});

export const shownDecisions = (decisions: readonly StoredDecision[] = []): DecisionRecord[] =>
  decisions.map(withoutIds);

/** @param isWhole whether the user may see the whole package */
export function seenPrices<Package extends Partial<PricedFields>>(
  one: Package,
  isWhole: boolean,
  sight: Sight,
): Package {
  if (!isWhole) return { ...one, why: '', prices: [], uses: null, not_this: [], questions: [] };
  return {
    ...one,
    not_this: (one.not_this ?? []).filter((other) => seesAll(other, sight)),
    questions: (one.questions ?? []).filter((question) => seesAll(question, sight)),
  };
}

export const seesAll = ({ ids }: Naming, { isVisible }: Sight): boolean => ids.every((id) => isVisible(id));
