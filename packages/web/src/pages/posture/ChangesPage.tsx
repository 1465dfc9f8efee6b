/** Changes since a time: new and resolved findings, and the changes that affected the exposure. */

import { useAddress } from '../../address.ts';
import { NotRead } from '../../parts/NotRead.tsx';
import { Period } from '../../parts/Period.tsx';
import { ViewMenu } from '../../parts/ViewMenu.tsx';
import { SCOPE } from '../../scope.ts';
import { dayOf } from '../../text/formats.ts';
import { LostFilters } from '../findings/LostFilters.tsx';
import { ChangesView } from './ChangesView.tsx';
import { SINCE_READ } from './times.ts';
import { useRead } from './useRead.ts';

const WEEK = ['7', '7 days'] as const;

export default function ChangesPage() {
  const address = useAddress();
  const since = dayOf(address.get('since'));
  const state = useRead();
  return (
    <div className="page">
      <div className="with-period">
        <h1>What changed</h1>
        <div className="chips">
          <Period
            address={address}
            more={!state.read ? [WEEK] : [[SINCE_READ, 'Unread'], WEEK]}
            also={{ since: undefined }}
            isNone={since !== undefined}
          />
          <label className="choice">
            Since
            <input
              type="date"
              value={since ?? ''}
              onChange={({ target }) => address.set({ since: target.value, days: undefined })}
            />
          </label>
          <ViewMenu page="changes" />
        </div>
      </div>
      <LostFilters address={address} names={SCOPE} />
      <NotRead environment={null} />
      <ChangesView address={address} state={state} />
    </div>
  );
}
