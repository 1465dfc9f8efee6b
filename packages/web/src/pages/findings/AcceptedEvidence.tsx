/** The evidence of an acceptance: the template of its reason, and attached files. */
import type { AcceptanceEvidence } from '@clew/api';
import { AttachmentList } from '../../parts/Attachments.tsx';
import { Name } from '../../parts/Name.tsx';
import { useAnswer } from '../../service/queries.ts';

export function EvidenceList({ of: { template, attachments } }: { readonly of: AcceptanceEvidence }) {
  return (
    <>
      {template !== null && (
        <p className="quiet">
          Template: <Name text={template} />
        </p>
      )}
      <AttachmentList files={attachments} />
    </>
  );
}

/** @param finding number of an accepted finding */
export function AcceptedEvidence({ finding }: { readonly finding: number }) {
  const answer = useAnswer('GetAcceptanceEvidence', { params: { attack_path_id: finding } });
  return answer.data === undefined ? null : <EvidenceList of={answer.data.data} />;
}
