/** The notices about actions, at the bottom of the page. */
import { X } from 'lucide';
import { Link } from 'wouter';
import { cleanText, shortText } from '../text/cleanText.ts';
import { Icon } from './Icon.tsx';
import { dismissNotice, useNotices } from './notices.ts';

const MAX_LETTERS = 200;

export function Notices() {
  const notices = useNotices();
  return (
    <section className="toasts" role="status" aria-label="Notices">
      {notices.map(({ id, text, to, undo }) => (
        <div key={id} className="toast">
          <p>{shortText(cleanText(text), MAX_LETTERS)}</p>
          {to !== undefined && (
            <Link href={to.path} onClick={() => dismissNotice(id)}>
              {to.title}
            </Link>
          )}
          {undo !== undefined && (
            <button
              type="button"
              className="plain"
              onClick={() => {
                undo();
                dismissNotice(id);
              }}
            >
              Undo
            </button>
          )}
          <button type="button" className="ghost" aria-label="Dismiss" onClick={() => dismissNotice(id)}>
            <Icon of={X} />
          </button>
        </div>
      ))}
    </section>
  );
}
