/** One sentence that says why the plan does not close a finding. Rule: `docs/findings.md#order`. */
import { principalsText } from '@clew/model';
import { OPEN_REASONS, type OpenReason } from '@clew/planning';

/** @param users with their verb; absent if they were not counted */
type Sentence = (users: string | undefined) => string;

const SENTENCES: Readonly<Record<OpenReason, Sentence>> = {
  'other-zone': () => 'it is about a zone other than Tier Zero',
  'leads-elsewhere': () => 'it does not lead to Tier Zero',
  'cut-before': () => 'it no longer leads users or computers to Tier Zero after the plan',
  unused: () => 'no user or computer outside the zone can use it today',
  unknown: () =>
    'the principals that can use it are unknown, because the environment of its source was not collected',
  excluded: () => 'constraints exclude all changes that close it',
  'partly-excluded': () =>
    'a constraint excludes a change that closes it, and the plan has no other change for it',
  'last-administrator': () =>
    'the change that closes it would remove the last administrator of an environment: add another administrator first',
  synchronization: () =>
    'directory synchronization needs the right that it reports: add the account and the synchronization server to Tier Zero',
  add: () => 'no change closes it: add the object to Tier Zero, and protect it like the rest of Tier Zero',
  remediation: () => 'no change of relationships or settings is known that closes it: follow its remediation',
  'no-change': () => 'no known change closes it',
  'protect-user': () =>
    'plans only remove rights, but this right comes with the role: add the user to a role-assignable group or to a restricted management administrative unit',
  unreachable: (users) =>
    users === undefined
      ? 'everyone who can use it after the plan can also reach Tier Zero through relationships that no known change removes'
      : `after the plan, ${users} can still use it, but they can also reach Tier Zero through relationships that no known change removes`,
  'check-text': () => 'its check specifies no relationships to remove; see the remediation of the check',
  'by-itself': () => 'it has a separate repair, and the plan does not need it',
  'below-goal': (users) =>
    `the plan reaches its goal without this repair${users === undefined ? '' : `; after it, ${users} can still use the finding`}`,
  'not-planned': (users) =>
    `the search for repairs has not reached it yet${users === undefined ? '' : `; after the cards so far, ${users} can still use it`}`,
  'no-gain': (users) =>
    users === undefined
      ? 'no further change lowers the exposure enough for its cost'
      : `after the plan, ${users} can still use it, but no further change lowers the exposure enough for its cost`,
};

/** @returns undefined for reasons stored by a later release */
export function notClosedText(reason: string | null, users: number | null): string | undefined {
  const known = OPEN_REASONS.find((one) => one === reason);
  return known && `not closed by the plan: ${SENTENCES[known](usersText(users))}`;
}

/** A limited user may not see the count. */
function usersText(users: number | null): string | undefined {
  if (users === null) return undefined;
  if (users === 0) return 'users and computers of other environments';
  return principalsText(users);
}
