/** A button for choosing files; the same file can be chosen again. */
import { useRef } from 'react';
import { useKey } from './keys.ts';

interface FileButtonProps {
  readonly text: string;
  /** Name of the field for screen readers and tests. */
  readonly label: string;
  /** Endings of the names of files, as `.json,.zip`; by default all. */
  readonly accept?: string;
  readonly isMain?: boolean;
  readonly isDisabled?: boolean;
  readonly isMultiple?: boolean;
  /** A key that presses the button. */
  readonly shortcut?: string;
  /** At least one file, and only one unless `isMultiple`. */
  readonly onFiles: (files: readonly [File, ...File[]]) => void;
}

export function FileButton({
  text,
  label,
  accept,
  isMain = false,
  isDisabled = false,
  isMultiple = false,
  shortcut,
  onFiles,
}: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const choose = () => input.current?.click();
  useKey(shortcut ?? '', shortcut === undefined || isDisabled ? undefined : choose);
  return (
    <>
      <button type="button" className={isMain ? 'main' : undefined} disabled={isDisabled} onClick={choose}>
        {text}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple={isMultiple}
        disabled={isDisabled}
        accept={accept}
        aria-label={label}
        onChange={({ target }) => {
          const [first, ...others] = target.files ?? [];
          target.value = '';
          if (first !== undefined) onFiles([first, ...others]);
        }}
      />
    </>
  );
}
