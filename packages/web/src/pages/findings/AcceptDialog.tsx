/** Accepts a risk, with a reason and an end date. The acceptance ends automatically. */
import type { AcceptanceTemplate } from '@clew/api';
import { useState } from 'react';
import { AttachField, useAttachedFiles } from '../../parts/Attachments.tsx';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { useFieldDraft } from '../../parts/drafts.ts';
import { FormDialog } from '../../parts/FormDialog.tsx';
import type { Field } from '../../parts/FormField.tsx';
import { notify } from '../../parts/notices.ts';
import { useDialogChange } from '../../parts/useDialogChange.ts';
import { useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText, shortText } from '../../text/cleanText.ts';
import { counted, formatCount } from '../../text/formats.ts';
import { type Accepted, acceptDraftName } from './accepted.ts';
import { changeAcceptance } from './changeAcceptance.ts';
import { MadeChanges } from './manyChanges.ts';
import { canChange, MatchingText, useMatching } from './matching.tsx';
import { TemplateChoice } from './TemplateChoice.tsx';
import { notifyUnfinished, undoOf } from './undoChange.ts';

interface AcceptDialogProps {
  readonly about: string;
  readonly of: Accepted;
  readonly onClose: (isDone: boolean) => void;
}

const DEFAULT_DAYS = 90;
const dayFrom = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export function AcceptDialog({ about, of, onClose }: AcceptDialogProps) {
  const draft = useFieldDraft(acceptDraftName(of));
  const matching = useMatching('matching' in of ? of.matching : undefined);
  const count = countOf(of, matching?.count);
  const mayMutate = useSelf()?.may('graphdb/Mutate') === true;
  const [outcome, setOutcome] = useState<Outcome>();
  const [made] = useState(() => new MadeChanges());
  const templates = useAnswer('ListAcceptanceTemplates').data?.data ?? [];
  const [template, setTemplate] = useState<AcceptanceTemplate>();
  const attached = useAttachedFiles();
  return (
    <FormDialog
      title={titleOf('Accept', of, count)}
      fields={[
        {
          ...{ type: 'content', name: 'about' },
          content: (
            <>
              {about !== '' && <p>{cleanText(about)}</p>}
              <Named of={of} />
              {matching !== undefined && <MatchingText of={matching} />}
              <p className="quiet">
                An accepted finding is excluded from lists of open findings until the date that you choose. It
                still counts for exposure.
              </p>
            </>
          ),
        },
        {
          ...{ type: 'content', name: 'template' },
          content: <TemplateChoice {...{ templates, dayFrom }} chosen={template} onChoose={setTemplate} />,
        },
        {
          ...{ type: 'note', name: 'reason', label: 'Reason', required: true, maxLength: 2000, rows: 3 },
          draft,
        },
        {
          ...{ type: 'date', name: 'until', label: 'Until', required: true },
          ...{ value: dayFrom(DEFAULT_DAYS), min: dayFrom(1) },
        },
        ...(mayMutate ? leaveOutFields(of) : []),
        { type: 'content', name: 'files', content: <AttachField label="Evidence" attached={attached} /> },
        { type: 'content', name: 'outcome', content: <Remaining of={outcome} /> },
      ]}
      words={'matching' in of && count !== undefined ? `Accept ${counted(count, 'finding')}` : 'Accept'}
      pendingWords="Accepting…"
      isDisabled={attached.isUploading || ('matching' in of && !canChange(matching))}
      send={(values) =>
        changeAcceptance(
          of,
          {
            accepted: true,
            accept_until: `${values.text('until')}T23:59:59Z`,
            reason: values.text('reason'),
            ...(values.has('leave_out_of_plan') && { leave_out_of_plan: true }),
            ...(template !== undefined && { template: template.id }),
            ...(attached.ids.length > 0 && { attachments: [...attached.ids] }),
          },
          made,
          matching?.state,
        )
      }
      onSent={(done) => {
        if (done.remaining > 0) return;
        draft.sent();
        if (done.acceptance_request_id !== undefined) {
          notify(`The acceptance of ${counted(done.findings, 'finding')} waits for a second approver`);
          return;
        }
        const named = done.findings === 1 && about !== '' ? `: ${shortText(cleanText(about), 100)}` : '';
        notify(`${counted(done.findings, 'finding')} accepted${leftOut(done.findings, count)}${named}`, {
          undo: undoOf(made, 'AcceptFindings'),
        });
      }}
      onDone={(done) => {
        setOutcome(done);
        if (done.remaining === 0) onClose(true);
      }}
      onClose={() => {
        notifyUnfinished(made, 'AcceptFindings');
        onClose(false);
      }}
    />
  );
}

/** The plan also contains changes that close accepted findings, unless they are excluded. */
function leaveOutFields(of: Accepted): readonly Field[] {
  const isOne = 'findings' in of && of.findings.length === 1;
  const card = isOne ? of.findings[0]?.repair : undefined;
  if (isOne && card === undefined) return [];
  const changes =
    card === undefined ? 'the changes that close them' : `the changes of card ${card} that close it`;
  const label = `Also leave ${changes} out of the plan until then. Other findings that they would close stay open, too.`;
  return [{ type: 'check', name: 'leave_out_of_plan', label }];
}

/** Ends an acceptance of findings early. */
export function ReopenDialog({ of, onClose }: Omit<AcceptDialogProps, 'about'>) {
  const matching = useMatching('matching' in of ? of.matching : undefined);
  const count = countOf(of, matching?.count);
  const [made] = useState(() => new MadeChanges());
  const reopen = useDialogChange(() => changeAcceptance(of, { accepted: false }, made, matching?.state), {
    onSuccess: ({ findings, remaining }) => {
      if (remaining > 0) return;
      const words = `${counted(findings, 'finding')} reopened${leftOut(findings, count)}`;
      notify(words, { undo: undoOf(made, 'AcceptFindings') });
    },
    onDone: ({ remaining }) => {
      if (remaining === 0) onClose(true);
    },
  });
  const close = () => {
    notifyUnfinished(made, 'AcceptFindings');
    onClose(false);
  };
  return (
    <Dialog title={titleOf('Reopen', of, count)} onClose={close}>
      {matching !== undefined && <MatchingText of={matching} />}
      <p>The acceptance ends now. Only the audit log keeps its reason and its end date.</p>
      <Remaining of={reopen.data} />
      <DialogActions
        words={count === undefined ? 'Reopen' : `Reopen ${counted(count, 'finding')}`}
        pendingWords="Reopening…"
        isPending={reopen.isPending}
        isDisabled={'matching' in of && !canChange(matching)}
        error={reopen.error}
        onAct={() => reopen.mutate()}
        onCancel={close}
      />
    </Dialog>
  );
}

function countOf(of: Accepted, matching: number | undefined): number | undefined {
  if ('matching' in of) return matching;
  return 'findings' in of ? of.findings.length : of.closed.length;
}

function titleOf(verb: string, of: Accepted, count: number | undefined): string {
  if ('matching' in of)
    return count === undefined
      ? `${verb} all that match`
      : `${verb} all ${counted(count, 'finding')} that match`;
  return count === 1 ? `${verb} this finding` : `${verb} ${counted(count ?? 0, 'finding')}`;
}

const leftOut = (findings: number, asked = findings): string => {
  const closed = asked - findings;
  return closed > 0 ? `; ${formatCount(closed)} ${closed === 1 ? 'is' : 'are'} closed` : '';
};

/** Lists some of the findings that a repair closes. */
function Named({ of }: { readonly of: Accepted }) {
  if (!('closed' in of) || of.count <= of.closed.length) return null;
  return (
    <p>
      The repair closes {counted(of.count, 'finding')}, and its card names {formatCount(of.closed.length)} of
      them: only these are accepted. To accept all matching findings, use the Findings page.
    </p>
  );
}

interface Outcome {
  readonly findings: number;
  readonly remaining: number;
}

/** The request reached its time limit before all findings were changed. */
function Remaining({ of }: { readonly of: Outcome | undefined }) {
  if (of === undefined || of.remaining === 0) return null;
  return (
    <p role="status">
      {formatCount(of.findings - of.remaining)} of {counted(of.findings, 'finding')} were changed before the
      request timed out. Send it again for the others.
    </p>
  );
}
