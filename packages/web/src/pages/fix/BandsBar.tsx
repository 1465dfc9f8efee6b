/** Exposed principals by the attack effort of their easiest path: one bar in shades, with numbers. */
import type { EffortRecord } from '@clew/api';
import { formatCount } from '../../text/formats.ts';

const BANDS = [
  { key: 'trivial', name: 'Trivial', means: 'attack effort 1 to 3: no condition, at most three actions' },
  { key: 'easy', name: 'Easy', means: 'attack effort 4 to 7: at most one condition, no luck' },
  {
    key: 'moderate',
    name: 'Moderate',
    means: 'attack effort 8 to 15: luck, two conditions, or a long chain',
  },
  { key: 'hard', name: 'Hard', means: 'attack effort 16 and more' },
  { key: 'none', name: 'No path', means: 'only this is safe' },
] as const;

export function BandsBar({ effort }: { readonly effort: readonly EffortRecord[] }) {
  const counts = BANDS.map((band) => ({
    ...band,
    count: effort.reduce((sum, { bands }) => sum + bands[band.key], 0),
  })).filter(({ count }) => count > 0);
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return null;
  let from = 0;
  return (
    <figure className="bands">
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        {counts.map(({ key, count }) => {
          const begin = from;
          from += (count / all) * 100;
          return (
            <rect key={key} className={`band-${key}`} x={begin} width={(count / all) * 100} height="10" />
          );
        })}
      </svg>
      <figcaption>
        <ul>
          {counts.map(({ key, name, means, count }) => (
            <li key={key} title={means}>
              <span className={`swatch band-${key}`} aria-hidden="true" />
              {name} <strong>{formatCount(count)}</strong>
            </li>
          ))}
        </ul>
        <details>
          <summary>About attack effort</summary>
          <p>
            Attack effort is the sum of the steps of the easiest path: 0 already held, 1 one action, 2 several
            actions, 4 depends on a condition, 8 depends on luck. Only "no path" is safe.
          </p>
        </details>
      </figcaption>
    </figure>
  );
}
