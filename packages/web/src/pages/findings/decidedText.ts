/** Says what a decision about an acceptance changed. */
import type { AcceptanceRequestRecord, DecidedAcceptance } from '@clew/api';
import { counted, formatCount } from '../../text/formats.ts';

const STATES: Readonly<Record<AcceptanceRequestRecord['state'], string>> = {
  ...{ waiting: 'Waits for a second approver', approved: 'Approved', refused: 'Refused' },
  ...{ withdrawn: 'Withdrawn', expired: 'Expired', closed: 'Closed' },
};

export function decidedText({ request, not_left_out }: DecidedAcceptance): string {
  const { state, accepted_count, skipped_count } = request;
  if (state !== 'approved') return STATES[state];
  const skipped =
    skipped_count === 0
      ? ''
      : `; ${formatCount(skipped_count)} closed or accepted otherwise since then stay as they are`;
  const left =
    not_left_out === undefined ? '' : `. Their changes were not left out of the plan: ${not_left_out}`;
  return `${STATES[state]}: ${counted(accepted_count, 'finding')} accepted${skipped}${left}`;
}

/** Names the findings that an approval accepts: a continued one accepts the others. */
export function toAcceptText({
  finding_count,
  accepted_count,
  skipped_count,
}: AcceptanceRequestRecord): string {
  const isContinued = accepted_count > 0;
  const left = finding_count - accepted_count - skipped_count;
  const findings = isContinued ? `The other ${counted(left, 'finding')}` : counted(left, 'finding');
  return `${findings}: accepted in your names, except findings closed or accepted otherwise since the request.`;
}
