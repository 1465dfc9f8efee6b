/** Shows a key once. */
import { copyExactly } from './copy.ts';

/** Said of a token whose dialog was closed before it was created. */
export const KEY_NOT_SHOWN =
  'The token is created, but its key could not be shown. Revoke it, and create another one.';

export function TokenOnce({
  id,
  secret,
  onClose,
}: {
  readonly id: string;
  readonly secret: string;
  readonly onClose: () => void;
}) {
  return (
    <>
      <p>
        <strong>The key is shown only once, now.</strong>
      </p>
      <dl className="facts">
        <dt>Token id</dt>
        <dd>
          <code>{id}</code>
        </dd>
        <dt>Key</dt>
        <dd>
          <code>{secret}</code>
        </dd>
      </dl>
      <footer className="bar">
        <button type="button" onClick={() => void copyExactly(`${id} ${secret}`)}>
          Copy both
        </button>
        <button type="button" className="main" onClick={onClose}>
          I have saved it
        </button>
      </footer>
    </>
  );
}
