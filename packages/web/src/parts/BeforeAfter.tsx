/** Exposure before and after a change, in large numbers, with its bar. */
import { formatShare } from '@clew/model';
import { ArrowRight } from 'lucide';
import { FallBar } from './FallBar.tsx';
import { Icon } from './Icon.tsx';

interface BeforeAfterProps {
  /** Shares from 0 to 1. */
  readonly before: number;
  readonly after: number;
  /** The common base of both, for tooltips and screen readers. */
  readonly title?: string;
}

export function BeforeAfter({ before, after, title }: BeforeAfterProps) {
  return (
    <div className="large-change" title={title}>
      <p>
        <span className="quiet">{formatShare(before)}</span> <Icon of={ArrowRight} />
        <span className="unseen"> to </span>
        <strong>{formatShare(after)}</strong>
      </p>
      <FallBar before={before} after={Math.min(before, after)} />
    </div>
  );
}
