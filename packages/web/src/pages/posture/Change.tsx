/** The amount of an increase or decrease, with a sign that does not depend on color. */
import { formatCount } from '../../text/formats.ts';

interface ChangeProps {
  /** Negative values are improvements. */
  readonly by: number;
  /** Whether the value is a share, in percentage points. */
  readonly isShare?: boolean;
}

export function Change({ by, isShare = false }: ChangeProps) {
  const size = isShare ? Math.round(Math.abs(by) * 1000) / 10 : Math.abs(by);
  if (size === 0) return <span className="quiet">no change</span>;
  const text = isShare ? `${size.toFixed(1)} points` : formatCount(size);
  return (
    <span className={by < 0 ? 'change better' : 'change worse'}>
      <span aria-hidden="true">{by < 0 ? '▾' : '▴'} </span>
      <span className="unseen">{by < 0 ? 'down ' : 'up '}</span>
      {text}
    </span>
  );
}
