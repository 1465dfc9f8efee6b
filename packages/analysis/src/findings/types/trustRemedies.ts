/** Texts about one property of a trust, for the setting and for the relationship that it allows. */
import type { Remedy } from './family.ts';

/** Texts of the types about SID filtering of a trust. */
export const SID_FILTERING = {
  fix: 'Turn on SID filtering for the trust.',
  steps: [
    'List the users of the other forest whose access depends on SID history, and grant the access to their current SIDs.',
    'Turn on SID filtering on the trusting side (netdom trust /quarantine:yes, or /enablesidhistory:no for a forest trust), in a maintenance window.',
    'Ask the owner of the trust whether it is still needed, and remove it if not.',
  ],
  verify: [
    'The attributes of the trust show SID filtering, and users of the other forest still reach their resources.',
  ],
  care: 'Users of the other forest lose the access that depends on their SID history: grant it to their current SIDs first.',
} as const satisfies Remedy;

/** Texts of the types about ticket delegation over a trust. */
export const TICKET_DELEGATION = {
  fix: 'Turn off ticket delegation for the trust.',
  steps: [
    'Find the services of the other forest that delegate users of this forest, and move them to resource-based constrained delegation.',
    'Turn off ticket delegation in this forest, the trusted side (netdom trust /enabletgtdelegation:no), in a maintenance window.',
    'Mark privileged users as sensitive, so that no service can delegate them.',
  ],
  verify: [
    'The attributes of the trust show that ticket delegation is off, and the services of the other forest still work.',
  ],
  care: 'Services of the other forest that use unconstrained delegation can no longer act for users of this forest, and fail for them.',
} as const satisfies Remedy;
