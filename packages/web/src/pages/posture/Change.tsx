/** The amount of a rise or fall, with a sign that needs no color. */
import { formatCount } from '../../text/formats.ts';

interface ChangeProps {
  /** Below 0: better. */
  readonly by: number;
  /** A share, in percentage points. */
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
