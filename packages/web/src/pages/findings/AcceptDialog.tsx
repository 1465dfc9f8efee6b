/** Accepting a risk: why, and until when. It ends by itself. */
import { type FormEvent, useState } from 'react';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { useFieldDraft } from '../../parts/drafts.ts';
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { useChange } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';
import { type Accepted, acceptDraftName, type ClosedFinding } from './accepted.ts';

interface AcceptDialogProps {
  readonly about: string;
  readonly of: Accepted;
  readonly onClose: () => void;
}

const DEFAULT_DAYS = 90;
const dayFrom = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export function AcceptDialog({ about, of, onClose }: AcceptDialogProps) {
  const [done, setDone] = useState(0);
  const draft = useFieldDraft(acceptDraftName(of));
  const count = 'findings' in of ? of.findings.length : of.closed.length;
  const accept = useChange(async ({ reason, until }: { reason: string; until: string }) => {
    const findings = 'findings' in of ? of.findings : await numbersOf(of.closed);
    for (const { id, finding } of findings) {
      await call('UpdateAttackPathRisk', {
        params: { attack_path_id: id },
        body: { risk_type: finding, accepted: true, accept_until: until, reason },
      });
      setDone((before) => before + 1);
    }
    return findings.length;
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    accept.mutate(
      { reason: String(fields.get('reason')).trim(), until: `${String(fields.get('until'))}T23:59:59Z` },
      {
        onSuccess: (accepted) => {
          draft.sent();
          notify(`${counted(accepted, 'finding')} accepted`);
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      title={count === 1 ? 'Accept this finding' : `Accept ${counted(count, 'finding')}`}
      onClose={onClose}
    >
      <form onSubmit={submit} aria-busy={accept.isPending}>
        <p>{cleanText(about)}</p>
        <p className="quiet">
          An accepted finding is left out of the lists of open ones until the day that you choose. It still
          counts for the exposure.
        </p>
        <label>
          Reason
          <textarea name="reason" required maxLength={2000} rows={3} {...draft.field} />
        </label>
        <label>
          Until
          <input name="until" type="date" required defaultValue={dayFrom(DEFAULT_DAYS)} min={dayFrom(1)} />
        </label>
        {accept.isError && done > 0 && (
          <p>
            {counted(done, 'finding')} of {count} were accepted.
          </p>
        )}
        <DialogActions
          words="Accept"
          pendingWords={`Accepting ${done} of ${count}…`}
          isPending={accept.isPending}
          error={accept.error}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}

/** A repair names findings by subject; acceptance needs their numbers. */
async function numbersOf(closed: readonly ClosedFinding[]) {
  const found = await Promise.all(
    closed.map(({ finding, environment_id, asset_group_tag_id, source, target }) =>
      call('ListAttackPathFindings', {
        query: {
          finding: `eq:${finding}`,
          environment_id: `eq:${environment_id}`,
          asset_group_tag_id: `eq:${asset_group_tag_id}`,
          target_principal_id: `eq:${target.object_id}`,
          ...(source && { source_principal_id: `eq:${source.object_id}` }),
          limit: 1,
        },
      }),
    ),
  );
  return found.flatMap(({ data }) => data.slice(0, 1)).map(({ id, finding }) => ({ id, finding }));
}
