/** A button for choosing a file; the same file can be chosen again. */
import { useRef } from 'react';

interface FileButtonProps {
  readonly text: string;
  /** Name of the field for screen readers and tests. */
  readonly label: string;
  readonly accept: string;
  readonly isMain?: boolean;
  readonly onFile: (file: File) => void;
}

export function FileButton({ text, label, accept, isMain = false, onFile }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className={isMain ? 'main' : undefined} onClick={() => input.current?.click()}>
        {text}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) onFile(file);
          target.value = '';
        }}
      />
    </>
  );
}
