/** Chooses a template of a reason, whose text and end the fields of the form then have. */
import type { AcceptanceTemplate } from '@clew/api';
import type { ChangeEvent } from 'react';
import { AttachmentList } from '../../parts/Attachments.tsx';
import { cleanText } from '../../text/cleanText.ts';

interface TemplateChoiceProps {
  readonly templates: readonly AcceptanceTemplate[];
  readonly chosen: AcceptanceTemplate | undefined;
  readonly onChoose: (template: AcceptanceTemplate | undefined) => void;
  /** @returns the day after a number of days, as a date field has it */
  readonly dayFrom: (days: number) => string;
}

export function TemplateChoice({ templates, chosen, onChoose, dayFrom }: TemplateChoiceProps) {
  const choose = ({ currentTarget: { value, form } }: ChangeEvent<HTMLSelectElement>) => {
    const template = templates.find(({ id }) => String(id) === value);
    onChoose(template);
    if (template === undefined || form === null) return;
    fill(form, 'reason', template.reason);
    if (template.days !== null) fill(form, 'until', dayFrom(template.days));
  };
  if (templates.length === 0) return null;
  return (
    <>
      <label>
        Template
        <select value={chosen?.id ?? ''} onChange={choose}>
          <option value="">None</option>
          {templates.map(({ id, name }) => (
            <option key={id} value={id}>
              {cleanText(name)}
            </option>
          ))}
        </select>
      </label>
      {chosen !== undefined && chosen.attachments.length > 0 && (
        <>
          <p className="quiet">Files of the template, which become evidence of the acceptance:</p>
          <AttachmentList files={chosen.attachments} />
        </>
      )}
    </>
  );
}

/** The browser keeps the values of the fields; the event makes the form read them as after typing. */
function fill(form: HTMLFormElement, name: string, text: string): void {
  const field = form.elements.namedItem(name);
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
