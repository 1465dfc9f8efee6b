/** Transcripts and backups of change kits in the proof of a started plan. */
import type { PlanEvidence } from '@clew/api';
import { useState } from 'react';
import { uploadFile } from '../../parts/Attachments.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { FileButton } from '../../parts/FileButton.tsx';
import { Name } from '../../parts/Name.tsx';
import { notify } from '../../parts/notices.ts';
import { saveStored } from '../../parts/save.ts';
import { call } from '../../service/client.ts';
import { describeError, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatDate } from '../../text/formats.ts';

const TOUCHED = ['GetPlanProof'] as const;
const KINDS: Readonly<Record<PlanEvidence['kind'], string>> = { transcript: 'Transcript', backup: 'Backup' };

interface ProofEvidenceProps {
  readonly plan: number;
  readonly evidence: readonly PlanEvidence[];
}

export function ProofEvidence({ plan, evidence }: ProofEvidenceProps) {
  const mayAdd = useSelf()?.may('saved_queries/Write') === true;
  const [removing, setRemoving] = useState<PlanEvidence>();
  const add = useChange((files: readonly File[]) => addAll(plan, files), {
    touched: TOUCHED,
    onSuccess: (count) => notify(`${counted(count, 'file')} added as evidence`),
  });
  if (!mayAdd && evidence.length === 0) return null;
  return (
    <section aria-label="Transcripts and backups">
      <ul className="plain-list">
        {evidence.map((one) => (
          <EvidenceLine key={one.id} plan={plan} evidence={one} onRemove={setRemoving} />
        ))}
      </ul>
      {mayAdd && (
        <FileButton
          isMultiple
          isDisabled={add.isPending}
          text="Add transcript or backup…"
          label="Add transcript or backup of a change kit"
          accept=".txt,.json"
          onFiles={(files) => add.mutate(files)}
        />
      )}
      {add.isError && (
        <p className="failure" role="alert">
          {cleanText(describeError(add.error).text)}
        </p>
      )}
      {removing !== undefined && (
        <ConfirmDialog
          title="Remove this evidence?"
          words="Remove evidence"
          act={() => call('DeletePlanEvidence', { params: { plan_id: plan, evidence_id: removing.id } })}
          touched={TOUCHED}
          notice="The evidence is removed"
          onClose={() => setRemoving(undefined)}
        >
          <p>The state of the changes stays as it is.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

/** Files before one that is refused stay added. */
async function addAll(plan: number, files: readonly File[]): Promise<number> {
  for (const file of files) {
    const { id } = await uploadFile(file);
    const params = { plan_id: plan };
    try {
      await call('AddPlanEvidence', { params, body: { attachment: id } });
    } catch (error) {
      call('DeleteAttachment', { params: { attachment_id: id } }).catch(() => {});
      throw error;
    }
  }
  return files.length;
}

interface EvidenceLineProps {
  readonly plan: number;
  readonly evidence: PlanEvidence;
  readonly onRemove: (evidence: PlanEvidence) => void;
}

function EvidenceLine({ plan, evidence, onRemove }: EvidenceLineProps) {
  const { id, kind, file, added_by, added_at, may_remove, change_count } = evidence;
  return (
    <li>
      {KINDS[kind]}{' '}
      {file !== null && (
        <button type="button" onClick={() => saveStored(`/api/v2/plans/${plan}/evidence/${id}`, file.name)}>
          <bdi>{cleanText(file.name)}</bdi>
        </button>
      )}{' '}
      <span className="quiet">
        about {counted(change_count, 'change')}, added by <Name text={added_by} /> on {formatDate(added_at)}
      </span>
      {may_remove && (
        <button type="button" onClick={() => onRemove(evidence)}>
          Remove…
        </button>
      )}
    </li>
  );
}

/** The claims of the files about a change, compared with collections. */
export function Claims({
  change,
  evidence,
}: {
  readonly change: number;
  readonly evidence: readonly PlanEvidence[];
}) {
  const own = evidence.flatMap(({ id, claims }) =>
    claims.filter((claim) => claim.change === change).map((claim, at) => ({ key: `${id} ${at}`, claim })),
  );
  return own.map(({ key, claim: { verdict, text } }) => (
    <div key={key} className={verdict === 'disagrees' ? 'warning' : 'quiet'}>
      {cleanText(text)}
    </div>
  ));
}
