/** The family of findings produced by custom checks. */
import { type FindingFamily, REFERENCE } from '../family.ts';

export const customChecks: FindingFamily = {
  key: 'customChecks',
  risk: 'The organization does not want such objects, as its check says.',
  fix: 'Change the object so that the query of the check does not find it any more.',
  steps: [
    'Open the object, and compare it with the query of the check and with the values that the finding shows.',
    'Ask the owner of the check what the object should look like.',
    'Change the object, or accept the finding where it is meant to be so.',
  ],
  verify: [
    'The query of the check does not name the object any more.',
    'The finding is remediated after the next collection.',
  ],
  care: 'Somebody may depend on the object as it is. Change one object first.',
  prevent: 'Let the process that makes such objects look at the rule of the check.',
  references: [REFERENCE.accessModel],
};
