/** The share of collected data, as a number with a bar, because screen readers cannot read a bar alone. */
import { shareOf } from '@clew/model';
import { formatCount } from '../text/formats.ts';

const WIDTH = 72;
const HEIGHT = 6;

interface CoverageBarProps {
  readonly part: number;
  readonly whole: number;
  /** Noun for the counted objects, for the tooltip: "active computers". */
  readonly noun: string;
}

export function CoverageBar({ part, whole, noun }: CoverageBarProps) {
  if (whole === 0) return <span className="quiet">none seen</span>;
  return (
    <span className="coverage" title={`${formatCount(part)} of ${formatCount(whole)} ${noun}`}>
      {shareOf(part, whole)}
      <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
        <rect className="whole" width={WIDTH} height={HEIGHT} rx={HEIGHT / 2} />
        <rect className="part" width={(WIDTH * part) / whole} height={HEIGHT} rx={HEIGHT / 2} />
      </svg>
    </span>
  );
}
