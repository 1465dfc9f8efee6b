/** Changes since a time: new and resolved findings, and the changes that moved the exposure. */
import { useAddress } from '../../address.ts';
import { NotRead } from '../../parts/NotRead.tsx';
import { Period } from '../../parts/Period.tsx';
import { ChangesView } from './ChangesView.tsx';
import { lastRead, SINCE_READ } from './times.ts';

const WEEK = ['7', '7 days'] as const;

export default function ChangesPage() {
  const address = useAddress();
  return (
    <div className="page">
      <div className="with-period">
        <h1>What changed</h1>
        <Period address={address} more={lastRead() === undefined ? [WEEK] : [[SINCE_READ, 'Unread'], WEEK]} />
      </div>
      <NotRead environment={null} />
      <ChangesView address={address} />
    </div>
  );
}
