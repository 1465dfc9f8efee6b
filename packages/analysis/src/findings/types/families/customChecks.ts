/** The family of findings produced by custom checks. */
import { type FindingFamily, REFERENCE } from '../family.ts';

export const customChecks: FindingFamily = {
  key: 'customChecks',
  risk: 'A custom check of your organization flags this object.',
  fix: 'Change the object so that the query of the check no longer returns it.',
  steps: [
    'Open the object, and compare it with the query of the check and with the values in the finding.',
    'Ask the owner of the check for the intended state of the object.',
    'Change the object, or accept the finding if the object is as intended.',
  ],
  verify: [
    'The query of the check no longer returns the object.',
    'The finding is remediated after the next collection.',
  ],
  care: 'Other people may depend on the object. Change only one object first.',
  prevent: 'Add the rule of the check to the process that creates such objects.',
  references: [REFERENCE.accessModel],
};
