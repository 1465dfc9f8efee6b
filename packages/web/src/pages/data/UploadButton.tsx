/** A button to choose and upload collections; the key `u` presses it. */
import { useRef } from 'react';
import { useKey } from '../../parts/keys.ts';
import { beginUpload } from './upload.ts';

interface UploadButtonProps {
  readonly words: string;
  /** Called when files were chosen and their upload starts. */
  readonly onBegin?: () => void;
}

export function UploadButton({ words, onBegin }: UploadButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  useKey('u', () => input.current?.click());
  return (
    <>
      <button type="button" className="main" onClick={() => input.current?.click()}>
        {words}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Collections"
        accept=".json,.zip,.gz"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          target.value = '';
          if (files.length === 0) return;
          void beginUpload(files);
          onBegin?.();
        }}
      />
    </>
  );
}
