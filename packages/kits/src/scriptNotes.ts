/**
 * Comments above a script: a script that is copied has no readme. Sentences about repairs have names: a comment of one line escapes
 * them.
 */
import { isScripted } from './change.ts';
import type { PlannedChange } from './plannedChange.ts';

const NO_UNDO =
  'This change cannot be undone: Undo stops. The backup is only a record of the removed values.';

export const ASK_FIRST = 'Ask first';

export const REMEDY_HEAD = 'The script changes the setting only. The whole remedy:';

/** @returns the preparation of the change, its side effects, whether it can be undone, and the steps of the remedy */
export function scriptNotes({ plan, risk, before, questions = [] }: PlannedChange): readonly string[] {
  const steps = isScripted(plan) ? (plan.remedy ?? []) : [];
  return [
    ...(before === undefined
      ? []
      : [
          `Before the change, for ${before.days} days: ${before.record}`,
          `Check: ${before.events}.`,
          `Make the change when: ${before.empty}`,
        ]),
    ...questions.map((question) => `${ASK_FIRST}: ${question}`),
    ...(isScripted(plan) ? [`May stop: ${risk}`] : []),
    ...(isScripted(plan) && plan.option !== undefined ? [`Optional: ${plan.option.text}`] : []),
    ...(isScripted(plan) && plan.undo === null ? [NO_UNDO] : []),
    ...(steps.length === 0 ? [] : [REMEDY_HEAD, ...steps.map((step, at) => `${at + 1}. ${step}`)]),
  ];
}
