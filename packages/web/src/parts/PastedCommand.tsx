/** A command for a terminal, with a button that copies it. */
import { notify } from './notices.ts';

export function PastedCommand({ text }: { readonly text: string }) {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => notify('The command is copied'),
      () => notify('The browser did not allow to copy'),
    );
  return (
    <p className="command">
      <code>{text}</code>
      <button type="button" aria-label={`Copy ${text}`} onClick={() => void copy()}>
        Copy
      </button>
    </p>
  );
}
