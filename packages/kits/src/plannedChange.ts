/** A change of a kit before its files are written, and its file names. */
import type { KitFacts } from '@clew/planning';
import type { BeforeChange } from './beforeChange.ts';
import type { KitTexts, Plan } from './change.ts';
import type { RemedyInput } from './findingRemedies.ts';
import type { Watch } from './watchRules.ts';

/** A change of the plan. */
interface RepairInput extends KitTexts {
  readonly facts: KitFacts;
  readonly remedy?: undefined;
}

export type KitInput = RepairInput | RemedyInput;

export type PlannedChange = KitInput & {
  /** File name without extension. */
  readonly id: string;
  readonly plan: Plan;
  /** Detection rules to use until the change is made. */
  readonly watch: Watch;
  /** Events to record before the change, if old clients may not support the setting. */
  readonly before: BeforeChange | undefined;
};

/** @param id of the change or step @param at index of the rule in it @returns its file name without extension */
export const ruleName = (id: string, at: number): string => `rules/${id}-${String(at + 1).padStart(2, '0')}`;
