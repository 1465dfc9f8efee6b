/** Where collections are dropped, or chosen. */
import { type DragEvent, useRef, useState } from 'react';
import { cleanText, shortText } from '../../text/cleanText.ts';
import { formatBytes } from '../../text/formats.ts';
import { JobOutcome } from './JobOutcome.tsx';
import { beginUpload, forgetUpload, type Upload, useUploads } from './upload.ts';

export function DropArea() {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const uploads = useUploads();
  const onDrop = async (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void beginUpload(await droppedFiles(event.dataTransfer));
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same */}
      <div
        className={over ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => void onDrop(event)}
      >
        <p>
          <strong>Drop collections here</strong>: ZIP archives or JSON files of SharpHound, AzureHound and
          OpenGraph sources, or a folder of them.
        </p>
        <button type="button" className="main" onClick={() => input.current?.click()}>
          Choose files…
        </button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label="Collections"
          accept=".json,.zip,.gz"
          onChange={({ target }) => {
            void beginUpload([...(target.files ?? [])]);
            target.value = '';
          }}
        />
      </div>
      {uploads.map((upload) => (
        <UploadView key={upload.id} upload={upload} />
      ))}
    </>
  );
}

const STATES: Readonly<Record<Upload['state'], string>> = {
  sending: 'Sending',
  ingesting: 'Being read',
  done: 'Done',
  failed: 'Failed',
  canceled: 'Canceled: nothing of it is kept',
};

const MAX_SHOWN = 20;

function UploadView({ upload }: { readonly upload: Upload }) {
  const { files, state, job, failure } = upload;
  return (
    <section className="card" aria-label="Upload">
      <p className="bar" role="status">
        <strong>{STATES[state]}</strong>
        {state === 'sending' && (
          <button type="button" onClick={upload.cancel}>
            Cancel
          </button>
        )}
        {state !== 'sending' && state !== 'ingesting' && (
          <button type="button" onClick={() => forgetUpload(upload.id)}>
            Dismiss
          </button>
        )}
      </p>
      <ul className="plain-list">
        {files.slice(0, MAX_SHOWN).map((file) => (
          <li key={file.name}>
            <bdi>{shortText(cleanText(file.name), 120)}</bdi>{' '}
            <span className="quiet">{formatBytes(file.size)}</span>
            {file.refusal !== undefined ? (
              <p className="failure">Rejected: {cleanText(file.refusal)}</p>
            ) : (
              state === 'sending' && (
                <progress
                  aria-label={`Sent of ${cleanText(file.name)}`}
                  max={file.size || 1}
                  value={file.sent}
                />
              )
            )}
          </li>
        ))}
        {files.length > MAX_SHOWN && <li>and {files.length - MAX_SHOWN} more files</li>}
      </ul>
      {failure !== undefined && (
        <p className="failure" role="alert">
          {failure}
        </p>
      )}
      {job !== undefined && <JobOutcome job={job} />}
    </section>
  );
}

/** Files, and those of folders. */
async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  if (entries.length === 0) return [...transfer.files];
  return (await Promise.all(entries.map(filesOf))).flat();
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile)
    return [
      await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)),
    ];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: File[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return found.filter(({ name }) => /\.(?:json|zip|gz)$/i.test(name));
    found.push(...(await Promise.all(some.map(filesOf))).flat());
  }
}
