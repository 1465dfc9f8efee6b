/** Templates of reasons for accepting risks. */
import type { AcceptanceTemplate } from '@clew/api';
import { useState } from 'react';
import { AttachField, AttachmentList, useAttachedFiles } from '../../parts/Attachments.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { Name } from '../../parts/Name.tsx';
import { call } from '../../service/client.ts';
import { useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';
import { PartHead } from './PartHead.tsx';

const TOUCHED = ['ListAcceptanceTemplates'] as const;

type Opened = { readonly what: 'change' | 'remove'; readonly template: AcceptanceTemplate } | 'new';

export function AcceptanceTemplates() {
  const self = useSelf();
  const mayChange = self?.may('app/WriteAppConfig') === true && self.may('risks/ManageRisks');
  const enabled = self?.may('risks/ManageRisks') === true;
  const { data: templates = [] } = useAnswer('ListAcceptanceTemplates', {}, { enabled }).data ?? {};
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  if (!enabled) return null;
  return (
    <>
      <PartHead
        title="Templates of reasons for accepting risks"
        {...(mayChange && { words: 'New template…', onAdd: () => setOpened('new') })}
      />
      {templates.length === 0 && (
        <p className="quiet">
          A template has a text, a default end and files. Users who accept a risk can choose it and edit the
          text.
        </p>
      )}
      <div className="cards">
        {templates.map((template) => (
          <section key={template.id} className="card">
            <h3>
              <bdi>{cleanText(template.name)}</bdi>
            </h3>
            <p>
              <bdi>{cleanText(template.reason)}</bdi>
            </p>
            <p className="quiet">
              {template.days === null ? 'No default end' : `Ends after ${counted(template.days, 'day')}`},
              changed by <Name text={template.changed_by} />
            </p>
            <AttachmentList files={template.attachments} />
            {mayChange && (
              <div className="chips">
                <button type="button" onClick={() => setOpened({ what: 'change', template })}>
                  Change…
                </button>
                <button type="button" onClick={() => setOpened({ what: 'remove', template })}>
                  Remove…
                </button>
              </div>
            )}
          </section>
        ))}
      </div>
      {opened === 'new' && <TemplateDialog onClose={close} />}
      {typeof opened === 'object' && opened.what === 'change' && (
        <TemplateDialog template={opened.template} onClose={close} />
      )}
      {typeof opened === 'object' && opened.what === 'remove' && (
        <ConfirmDialog
          title={`Remove ${cleanText(opened.template.name)}?`}
          words="Remove template"
          act={() => call('DeleteAcceptanceTemplate', { params: { template_id: opened.template.id } })}
          touched={TOUCHED}
          notice="The template is removed"
          onClose={close}
        >
          <p>Acceptances that used it keep its name and files.</p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface TemplateDialogProps {
  readonly template?: AcceptanceTemplate;
  readonly onClose: () => void;
}

function TemplateDialog({ template, onClose }: TemplateDialogProps) {
  const attached = useAttachedFiles(template?.attachments);
  return (
    <FormDialog
      title={template === undefined ? 'New template' : `Change ${cleanText(template.name)}`}
      fields={[
        {
          type: 'text',
          name: 'name',
          label: 'Name',
          required: true,
          maxLength: 100,
          value: template?.name ?? '',
        },
        {
          ...{ type: 'long', name: 'reason', label: 'Reason', required: true, maxLength: 2000, rows: 4 },
          value: template?.reason ?? '',
        },
        {
          ...{ type: 'number', name: 'days', label: 'Ends after (empty: no default)', unit: 'days' },
          ...{ min: 1, max: 3650, value: template?.days ?? null },
        },
        { type: 'content', name: 'files', content: <AttachField label="Files" attached={attached} /> },
      ]}
      words={template === undefined ? 'Create template' : 'Save'}
      isDisabled={attached.isUploading}
      touched={TOUCHED}
      send={(values) => {
        const days = values.text('days') === '' ? null : Number(values.text('days'));
        const body = {
          name: values.text('name'),
          reason: values.text('reason'),
          days,
          attachments: [...attached.ids],
        };
        return template === undefined
          ? call('CreateAcceptanceTemplate', { body })
          : call('UpdateAcceptanceTemplate', { params: { template_id: template.id }, body });
      }}
      onClose={onClose}
    />
  );
}
