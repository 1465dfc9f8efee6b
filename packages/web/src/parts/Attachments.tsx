/** Files that a form attaches, and files that are attached to something. */
import { type AttachmentRecord, MAX_ATTACHMENT_BYTES, MAX_ATTACHMENT_TEXT, MAX_ATTACHMENTS } from '@clew/api';
import { useState } from 'react';
import { call } from '../service/client.ts';
import { describeError } from '../service/queries.ts';
import { cleanText } from '../text/cleanText.ts';
import { formatBytes, formatDate } from '../text/formats.ts';
import { FileButton } from './FileButton.tsx';
import { Name } from './Name.tsx';
import { saveStored } from './save.ts';

export interface AttachedFiles {
  readonly files: readonly AttachmentRecord[];
  readonly ids: readonly number[];
  readonly isUploading: boolean;
  /** Why a file was not uploaded. */
  readonly fault: string | undefined;
  add(files: readonly File[]): void;
  remove(file: AttachmentRecord): void;
}

/** @param before files that are already attached */
export function useAttachedFiles(before: readonly AttachmentRecord[] = []): AttachedFiles {
  const [files, setFiles] = useState(before);
  const [isUploading, setUploading] = useState(false);
  const [fault, setFault] = useState<string>();
  const add = async (some: readonly File[]): Promise<void> => {
    setFault(undefined);
    setUploading(true);
    try {
      for (const file of some.slice(0, MAX_ATTACHMENTS - files.length)) {
        const uploaded = await uploadFile(file);
        setFiles((now) => [...now, uploaded]);
      }
      if (some.length > MAX_ATTACHMENTS - files.length)
        throw new Error(`at most ${MAX_ATTACHMENTS} files can be attached: the others were left out`);
    } catch (error) {
      setFault(describeError(error).text);
    } finally {
      setUploading(false);
    }
  };
  const remove = (file: AttachmentRecord): void => {
    setFiles((now) => now.filter(({ id }) => id !== file.id));
    if (before.includes(file)) return;
    // A file that stays is deleted by the service after a day.
    call('DeleteAttachment', { params: { attachment_id: file.id } }).catch(() => {});
  };
  const ids = files.map(({ id }) => id);
  return { files, ids, isUploading, fault, add: (some) => void add(some), remove };
}

/** @throws Error with the name of a file that is too large, or that the service refuses */
export async function uploadFile(file: File): Promise<AttachmentRecord> {
  if (file.size > MAX_ATTACHMENT_BYTES) throw new Error(`${file.name} is larger than ${MAX_ATTACHMENT_TEXT}`);
  const body = { name: file.name, content: await base64Of(file) };
  try {
    return (await call('UploadAttachment', { body })).data;
  } catch (error) {
    throw new Error(`${file.name}: ${describeError(error).text}`, { cause: error });
  }
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(new Error(`${file.name} cannot be read`));
    reader.readAsDataURL(file);
  });
}

/** A field of a form that uploads each file when it is chosen. */
export function AttachField({
  label,
  attached: { files, isUploading, fault, add, remove },
}: {
  readonly label: string;
  readonly attached: AttachedFiles;
}) {
  return (
    <fieldset>
      <legend>{label}</legend>
      {files.length > 0 && (
        <ul className="evidence">
          {files.map((file) => (
            <li key={file.id}>
              <div>
                <Name text={file.name} /> <span className="quiet">{formatBytes(file.byte_count)}</span>
              </div>
              <div className="fact-end">
                <button
                  type="button"
                  aria-label={`Remove ${cleanText(file.name)}`}
                  onClick={() => remove(file)}
                >
                  Remove
                </button>
              </div>
            </li>
          ))}
        </ul>
      )}
      <p className="quiet">
        PDF, PNG, JPEG, ZIP, office documents or plain text: at most {MAX_ATTACHMENTS} files of up to{' '}
        {MAX_ATTACHMENT_TEXT}.
      </p>
      <FileButton
        isMultiple
        isDisabled={isUploading || files.length >= MAX_ATTACHMENTS}
        text={isUploading ? 'Uploading…' : 'Attach files…'}
        label={label}
        onFiles={add}
      />
      {fault !== undefined && (
        <p className="failure" role="alert">
          {cleanText(fault)}
        </p>
      )}
    </fieldset>
  );
}

/** Attached files, which are always saved and never shown by the browser. */
export function AttachmentList({ files }: { readonly files: readonly AttachmentRecord[] }) {
  if (files.length === 0) return null;
  return (
    <ul className="evidence" aria-label="Attached files">
      {files.map((file) => (
        <li key={file.id}>
          <div>
            <button type="button" onClick={() => saveStored(`/api/v2/attachments/${file.id}`, file.name)}>
              <bdi>{cleanText(file.name)}</bdi>
            </button>{' '}
            <span className="quiet">
              {formatBytes(file.byte_count)}, attached by <Name text={file.uploaded_by} /> on{' '}
              {formatDate(file.uploaded_at)}
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}
