/** Acceptances of findings that wait for a second approver, and their decision. */
import type { AcceptanceDecision, AcceptanceRequestRecord, DecidedAcceptance } from '@clew/api';
import { useState } from 'react';
import { Link } from 'wouter';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { Name } from '../../parts/Name.tsx';
import { NoteText } from '../../parts/NoteText.tsx';
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatCount, formatDate } from '../../text/formats.ts';
import { EvidenceList } from './AcceptedEvidence.tsx';
import { decidedText, toAcceptText } from './decidedText.ts';

type Decision = AcceptanceDecision['decision'];

const WORDS: Readonly<Record<Decision, { readonly act: string; readonly title: string }>> = {
  approve: { act: 'Approve', title: 'Approve this acceptance?' },
  refuse: { act: 'Refuse', title: 'Refuse this acceptance?' },
  withdraw: { act: 'Withdraw', title: 'Withdraw this acceptance?' },
};

const PAGE = 20;

interface Deciding {
  readonly request: AcceptanceRequestRecord;
  readonly decision: Decision;
}

/** @param finding only acceptances of this finding; all when absent */
export function WaitingAcceptances({ finding }: { readonly finding?: number }) {
  const enabled = useSelf()?.may('risks/ManageRisks') ?? false;
  const [limit, setLimit] = useState(PAGE);
  const query = { state: 'eq:waiting', limit, ...(finding !== undefined && { finding }) };
  const answer = useAnswer('ListAcceptanceRequests', { query }, { enabled, keep: true }).data;
  const { data: waiting = [], count = 0 } = answer ?? {};
  const [deciding, setDeciding] = useState<Deciding>();
  if (waiting.length === 0) return null;
  return (
    <section className="card" aria-labelledby="waiting-acceptances">
      <h2 id="waiting-acceptances">Acceptances that wait for a second approver</h2>
      <ul className="evidence">
        {waiting.map((request) => (
          <Waiting key={request.id} request={request} onDecide={setDeciding} />
        ))}
      </ul>
      {count > waiting.length && (
        <button type="button" onClick={() => setLimit(limit + PAGE)}>
          Show more of {formatCount(count)}
        </button>
      )}
      {deciding !== undefined && (
        <ConfirmDialog
          title={WORDS[deciding.decision].title}
          words={WORDS[deciding.decision].act}
          act={async () => notify(decidedText(await decide(deciding)))}
          onClose={() => setDeciding(undefined)}
        >
          <p>
            {deciding.decision === 'approve'
              ? toAcceptText(deciding.request)
              : `${counted(deciding.request.finding_count, 'finding')}: open as before.`}
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}

/** An approval that accepted some findings can only be continued. */
function choicesOf(isOwn: boolean, isBegun: boolean): readonly Decision[] {
  if (isOwn) return isBegun ? [] : ['withdraw'];
  return isBegun ? ['approve'] : ['approve', 'refuse'];
}

interface WaitingProps {
  readonly request: AcceptanceRequestRecord;
  readonly onDecide: (deciding: Deciding) => void;
}

function Waiting({ request, onDecide }: WaitingProps) {
  const { finding_count, finding_ids, title, accept_until, reason, requested_by, expires_at, is_own } =
    request;
  const { accepted_count } = request;
  const [first] = finding_ids;
  const what = `${counted(finding_count, 'finding')}: ${cleanText(title)}`;
  const isBegun = accepted_count > 0;
  const choices = choicesOf(is_own, isBegun);
  return (
    <li>
      <div>
        {first === undefined ? what : <Link href={`/finding/${first}`}>{what}</Link>}
        {finding_count > 1 && ', and others'}. <Name text={requested_by} /> asks to accept{' '}
        {accept_until === null ? 'without an end' : `until ${formatDate(accept_until)}`}
        {reason !== '' && (
          <>
            : <NoteText text={reason} />
          </>
        )}
        <EvidenceList of={request} />
        <p className="quiet">
          {is_own && 'You asked, so another user has to approve it. '}
          {isBegun
            ? `${formatCount(accepted_count)} of ${formatCount(finding_count)} are accepted; approve it again for the others.`
            : `Expires ${formatDate(expires_at)}`}
        </p>
      </div>
      <div className="fact-end">
        {choices.map((decision) => (
          <button key={decision} type="button" onClick={() => onDecide({ request, decision })}>
            {WORDS[decision].act}…
          </button>
        ))}
      </div>
    </li>
  );
}

/** Many findings take several requests. The service refuses to continue an approval that a user has undone. */
async function decide({ request: { id }, decision }: Deciding): Promise<DecidedAcceptance> {
  let continues: number | undefined;
  for (;;) {
    const params = { request_id: id };
    const { data } = await call('DecideAcceptanceRequest', { params, body: { decision, continues } });
    continues = data.bulk_change_id ?? undefined;
    if (data.remaining === 0) return data;
  }
}
