/** A share before and after, as two bars with their numbers. */
import { formatShare } from '@clew/model';

export function Meter({ before, after, label }: { before: number; after: number; label: string }) {
  return (
    <div className="meter">
      <span className="meter-label">{label}</span>
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect className="whole" width="100" height="10" />
        <rect className="before" width={before * 100} height="10" />
        <rect className="after" width={after * 100} height="10" />
      </svg>
      <span className="meter-text">
        {formatShare(before)} <span aria-hidden="true">→</span>
        <span className="unseen"> becomes </span> <strong>{formatShare(after)}</strong>
      </span>
    </div>
  );
}
