/** A command for a terminal, with a button that copies it. */
import { copyExactly } from './copy.ts';

export function PastedCommand({ text }: { readonly text: string }) {
  return (
    <p className="command">
      <code>{text}</code>
      <button
        type="button"
        aria-label={`Copy ${text}`}
        onClick={() => void copyExactly(text, 'The command is copied')}
      >
        Copy
      </button>
    </p>
  );
}
