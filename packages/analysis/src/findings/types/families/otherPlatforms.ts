/** The family of findings that definitions of other platforms declare. */
import { type FindingFamily, REFERENCE } from '../family.ts';

export const otherPlatforms: FindingFamily = {
  key: 'otherPlatforms',
  risk: 'Anyone who controls the source gains control of the target and its protected objects.',
  fix: 'Remove the relationship, or add its source to the zone if it is really needed.',
  steps: [
    'Open the source and the target in the administration tool of the platform, and find out who uses the relationship.',
    'Remove the role, membership or grant that the relationship represents.',
    'If the relationship is needed, protect the source like the target, and add it to the zone.',
  ],
  verify: [
    'The platform no longer shows the relationship.',
    'The finding is remediated after the next collection.',
  ],
  care: 'Automation on the platform may depend on the relationship. Test with one object first.',
  prevent: 'Review the holders of privileged roles of the platform every quarter.',
  references: [REFERENCE.accessModel],
};
