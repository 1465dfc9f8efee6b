/** Comments above a script: the remedy of a finding, the text of the change, its notes, and the steps that the script does not make. */
import { isScripted } from './change.ts';
import type { PlannedChange } from './plannedChange.ts';
import { scriptNotes } from './scriptNotes.ts';

/** The remedy of a finding type, for changes that close one of its findings: Clew's own texts, without names. */
export interface FindingAdvice {
  readonly steps: readonly string[];
  /** Possible outages. */
  readonly care: string;
}

export const FURTHER_HEAD = 'Steps that the script does not make:';
export const ADVICE_HEAD =
  'The remedy of the finding. A script makes one change only, so read all steps before the first change: some come before it.';
export const CARE_HEAD = 'What the remedy may stop:';

const numbered = (steps: readonly string[]): readonly string[] =>
  steps.map((step, at) => `${at + 1}. ${step}`);

/** Each becomes a comment of one line, which escapes the names in it. */
export function changeNotes(planned: PlannedChange, advice: FindingAdvice | undefined): readonly string[] {
  const { plan, change } = planned;
  const { remedy, further = [] } = isScripted(plan) ? plan : {};
  return [
    ...(advice === undefined ? [] : [ADVICE_HEAD, ...numbered(advice.steps), `${CARE_HEAD} ${advice.care}`]),
    // The notes of a remedy have its steps.
    ...(remedy === undefined ? [`The whole change: ${change}`] : []),
    ...scriptNotes(planned),
    ...(further.length === 0 ? [] : [FURTHER_HEAD, ...numbered(further)]),
  ];
}
