/** What changed since a time: what opened, what closed, and what of it moved the exposure. */
import { useAddress } from '../../address.ts';
import { NotRead } from '../../parts/NotRead.tsx';
import { ChangesView } from './ChangesView.tsx';
import { lastRead, SINCE_READ } from './times.ts';

const PERIODS = [
  ['7', '7 days'],
  [undefined, '30 days'],
  ['90', '90 days'],
  ['365', '1 year'],
] as const;

export default function ChangesPage() {
  const address = useAddress();
  const periods = lastRead() === undefined ? PERIODS : ([[SINCE_READ, 'Unread'], ...PERIODS] as const);
  return (
    <div className="page">
      <div className="with-period">
        <h1>What changed</h1>
        <fieldset className="segments">
          <legend className="unseen">Period</legend>
          {periods.map(([days, title]) => (
            <button
              key={title}
              type="button"
              aria-pressed={address.get('days') === days}
              onClick={() => address.set({ days })}
            >
              {title}
            </button>
          ))}
        </fieldset>
      </div>
      <NotRead environment={null} />
      <ChangesView address={address} />
    </div>
  );
}
