/** The age of the results, the current work, and the availability of the service. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useAnswer } from '../service/queries.ts';
import { useMay } from '../service/self.ts';
import { cleanText, shortText } from '../text/cleanText.ts';
import { formatAge, formatMoment, isTime } from '../text/formats.ts';

const LOOK_EVERY_MS = 5000;
const STALE_DAYS = 7;
const MAX_NAMED = 2;

const useStatus = () => useAnswer('GetDatapipeStatus', {}, { every: LOOK_EVERY_MS });

/** The foot of the side bar. */
export function Status() {
  const data = useStatus().data?.data;
  const enabled = useMay('graphdb/Read');
  const environments = useAnswer('GetAvailableDomains', {}, { enabled }).data?.data ?? [];
  if (data === undefined) return <div className="status" />;
  const analyzed = data.last_complete_analysis_at;
  const days = isTime(analyzed) ? (Date.now() - Date.parse(analyzed)) / 86_400_000 : 0;
  const isStale = days > STALE_DAYS;
  const collected = environments.filter((one) => one.collected);
  const missing = environments.filter((one) => !one.collected);
  return (
    <div className="status">
      <p>
        <span className={!isTime(analyzed) ? 'dot none' : isStale ? 'dot stale' : 'dot'} aria-hidden="true" />
        <strong title={isTime(analyzed) ? formatMoment(analyzed) : undefined}>
          {isTime(analyzed) ? `Analyzed ${formatAge(analyzed)}` : 'Not analyzed yet'}
        </strong>
      </p>
      {isStale && <p>Older than {STALE_DAYS} days. Collect again.</p>}
      {data.status === 'ingesting' && <p className="busy">Reading uploads</p>}
      {data.status === 'analyzing' && <p className="busy">Analyzing</p>}
      {environments.length > 0 && (
        <p>
          {collected.length} of {environments.length} environments collected
        </p>
      )}
      {missing.slice(0, MAX_NAMED).map(({ id, name }) => (
        <p key={id} title={cleanText(name)}>
          <bdi>{shortText(cleanText(name), 40)}</bdi>: not collected
        </p>
      ))}
      {missing.length > MAX_NAMED && <p>and {missing.length - MAX_NAMED} more not collected</p>}
    </div>
  );
}

export function ServiceAway() {
  const { error } = useStatus();
  if (error === null) return null;
  return (
    <p className="notice-bar warning" role="alert">
      Waiting for the service. Retrying every few seconds; the shown data may be out of date.
    </p>
  );
}

/** Offers newer results, so that they do not move the text that the user reads. */
export function NewResults() {
  const analyzed = useStatus().data?.data.last_complete_analysis_at;
  const queries = useQueryClient();
  const seen = useRef<string>(undefined);
  const [isNewer, setIsNewer] = useState(false);
  useEffect(() => {
    if (analyzed === undefined) return;
    if (seen.current !== undefined && seen.current !== analyzed) {
      // First results replace an empty page automatically.
      if (isTime(seen.current)) setIsNewer(true);
      else void queries.invalidateQueries();
    }
    seen.current = analyzed;
  }, [analyzed, queries]);
  if (!isNewer) return null;
  const show = () => {
    setIsNewer(false);
    void queries.invalidateQueries();
  };
  return (
    <p className="notice-bar" role="status">
      New results are available.{' '}
      <button type="button" onClick={show}>
        Show
      </button>
    </p>
  );
}
