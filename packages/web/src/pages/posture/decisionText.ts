/** Says how an acceptance that the user asked for ended. */
import type { InboxItem } from '@clew/api';
import { formatCount } from '../../text/formats.ts';

/** @param count findings of the request */
export function decisionText(decision: InboxItem['decision'], count: number): string {
  const { state = 'closed', accepted_count: accepted = 0 } = decision ?? {};
  // The approval skips them, which the state alone does not say.
  if (state === 'approved' && accepted === 0) return `${DECIDED[state]}, but ${noneAccepted(count)}`;
  const part = accepted > 0 && accepted < count ? `, ${formatCount(accepted)} of them accepted` : '';
  return `${DECIDED[state]}${part}`;
}

const noneAccepted = (count: number): string =>
  count === 1
    ? 'did not accept it: it was closed or accepted otherwise before'
    : 'accepted none of them: they were closed or accepted otherwise before';

const DECIDED: Readonly<Record<NonNullable<InboxItem['decision']>['state'], string>> = {
  ...{ approved: 'is approved', refused: 'is refused', withdrawn: 'is withdrawn' },
  ...{ expired: 'expired without a decision', closed: 'has no open findings anymore' },
};
