/** One sentence that says why the plan does not close a finding. Rule: `docs/findings.md#order`. */
import { principalsText } from '@clew/model';
import { OPEN_REASONS, type OpenReason } from '@clew/planning';

const SENTENCES: Readonly<Record<OpenReason, (users: string) => string>> = {
  'other-zone': () => 'it is about a zone other than Tier Zero',
  'leads-elsewhere': () => 'it does not lead to Tier Zero',
  'cut-before': () => 'it no longer leads users or computers to Tier Zero after the plan',
  unused: () => 'no user or computer outside the zone can use it today',
  unknown: () =>
    'the principals that can use it are unknown, because the environment of its source was not collected',
  excluded: () => 'all changes that close it are excluded from the plan',
  'no-change': () => 'no known change closes it',
  'protect-user': () =>
    'plans only remove rights, but this right comes with the role: add the user to a role-assignable group or to a restricted management administrative unit',
  unreachable: (users) =>
    `after the plan, ${users} can still use it, but they can also reach Tier Zero through relationships that no known change removes`,
  'check-text': () => 'its check specifies no relationships to remove; see the remediation of the check',
  'by-itself': () => 'it has a separate repair, and the plan does not need it',
  'below-goal': (users) =>
    `the plan reaches its goal without this repair; after it, only ${users} can still use the finding`,
  'not-planned': (users) =>
    `the search for repairs has not reached it yet; after the cards so far, ${users} can still use it`,
  'no-gain': (users) => `after the plan, only ${users} can still use it, too few for the cost of the change`,
};

/** @returns undefined for reasons stored by a later release */
export function notClosedText(reason: string | null, users: number | null): string | undefined {
  const known = OPEN_REASONS.find((one) => one === reason);
  return known && `not closed by the plan: ${SENTENCES[known](usersText(users))}`;
}

function usersText(users: number | null): string {
  if (users === null) return 'users and computers';
  if (users === 0) return 'users and computers of other environments';
  return principalsText(users);
}
