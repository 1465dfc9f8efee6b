/**
 * Comments above a script: a script that is copied has no readme. Sentences about repairs have names, which stay in literals, so only
 * Clew's own texts are here.
 */
import { isScripted } from './change.ts';
import type { PlannedChange } from './plannedChange.ts';

export const REMEDY_HEAD = 'The script changes the setting only. The whole remedy:';

/** @returns the preparation of the change, and the steps of the remedy with its side effects; empty for most changes */
export function scriptNotes({ plan, risk, before }: PlannedChange): readonly string[] {
  const steps = isScripted(plan) ? (plan.remedy ?? []) : [];
  return [
    ...(before === undefined
      ? []
      : [
          `Before the change, for ${before.days} days: ${before.record}`,
          `Check: ${before.events}.`,
          `Make the change when: ${before.empty}`,
        ]),
    ...(steps.length === 0
      ? []
      : [`May stop: ${risk}`, REMEDY_HEAD, ...steps.map((step, at) => `${at + 1}. ${step}`)]),
  ];
}
