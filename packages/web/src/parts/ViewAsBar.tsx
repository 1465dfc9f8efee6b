/** Says on every page that an administrator sees it as another user, and ends that. */
import { useEffect, useState } from 'react';
import { callAsSelf } from '../service/client.ts';
import { leaveViewAs, viewedAs } from '../service/viewAs.ts';
import { cleanText, shortText } from '../text/cleanText.ts';
import { formatMoment } from '../text/formats.ts';

export function ViewAsBar() {
  const view = viewedAs();
  const [isEnding, setEnding] = useState(false);
  const until = view === undefined ? 0 : Date.parse(view.expires_at);
  useEffect(() => {
    if (until === 0) return;
    const timer = setTimeout(leaveViewAs, Math.max(0, until - Date.now()));
    return () => clearTimeout(timer);
  }, [until]);
  if (view === undefined) return null;
  const end = async () => {
    setEnding(true);
    // A view that has already ended is left, too.
    await callAsSelf('EndViewAs', { params: { view_as_id: view.id } }).catch(() => undefined);
    leaveViewAs();
  };
  return (
    <p className="notice-bar warning" role="status">
      <span>
        You see Clew as <bdi>{shortText(cleanText(view.user_name), 80)}</bdi>. Changes are off, and private
        drawings, views and layers are not shown. This ends at {formatMoment(view.expires_at)}.
      </span>{' '}
      <button type="button" disabled={isEnding} onClick={() => void end()}>
        End
      </button>
    </p>
  );
}
