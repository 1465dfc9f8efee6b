/** The lists of findings without a finding: nothing was collected, nothing was found, or filters leave out all. */
import type { Address } from '../../address.ts';
import { Empty } from '../../parts/Answer.tsx';
import { NoData } from '../../parts/NoData.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { CHIP_NAMES, chipsOf } from './filterChips.ts';

const FILTERS = ['env', 'zone', ...CHIP_NAMES];

export function NoFindings({ address }: { readonly address: Address }) {
  const environments = useAnswer('GetAvailableDomains').data?.data;
  const isFiltered = FILTERS.some((name) => address.get(name) !== undefined);
  if (!isFiltered && environments === undefined) return null;
  if (!isFiltered && !environments?.some(({ collected }) => collected))
    return (
      <NoData example="“SVC_SYNC can read the password hashes of all accounts”, critical, closed by card 1">
        Each relationship by which somebody can come closer to a zone is a finding here.
      </NoData>
    );
  if (!isFiltered)
    return (
      <Empty
        title="No open findings"
        example="“Members of Tier Zero without an owner”"
        action={{ words: 'Write a check', href: '/checks' }}
      >
        The newest analysis found nothing to repair. A check of your own looks for more.
      </Empty>
    );
  return (
    <Empty
      title="No finding matches the filters"
      action={{
        words: 'Clear all filters',
        onAct: () => address.set(Object.fromEntries(FILTERS.map((name) => [name, undefined]))),
      }}
    >
      <p>Each filter leaves findings out. Drop one of them:</p>
      <div className="chips">
        {chipsOf(address).map(({ name, words }) => (
          <button
            key={name}
            type="button"
            onClick={() => address.set({ [name]: undefined, skip: undefined })}
          >
            Without {cleanText(words)}
          </button>
        ))}
      </div>
    </Empty>
  );
}
