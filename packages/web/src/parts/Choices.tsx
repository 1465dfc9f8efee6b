/** Environment and zone, chosen for a whole page; kept in its address. */
import { useId } from 'react';
import type { Address } from '../address.ts';
import { useAnswer } from '../service/queries.ts';
import { cleanText, shortText } from '../text/cleanText.ts';

export function EnvironmentChoice({ address }: { readonly address: Address }) {
  const id = useId();
  const { data } = useAnswer('GetAvailableDomains');
  const all = (data?.data ?? []).filter(({ collected }) => collected);
  if (all.length < 2 && address.get('env') === undefined) return null;
  return (
    <span className="choice">
      <label htmlFor={id}>Environment</label>
      <select
        id={id}
        value={address.get('env') ?? ''}
        onChange={({ target }) => address.set({ env: target.value, skip: undefined })}
      >
        <option value="">all</option>
        {all.map(({ id: sid, name }) => (
          <option key={sid} value={sid}>
            {shortText(cleanText(name), 60)}
          </option>
        ))}
      </select>
    </span>
  );
}

/** Tier Zero is the first. */
export function ZoneChoice({
  address,
  hygiene = false,
}: {
  readonly address: Address;
  readonly hygiene?: boolean;
}) {
  const id = useId();
  const { data } = useAnswer('GetAssetGroupTags', { query: { type: 'eq:1' } });
  const zones = data?.data.tags ?? [];
  if (zones.length < 2 && !hygiene) return null;
  return (
    <span className="choice">
      <label htmlFor={id}>Zone</label>
      <select
        id={id}
        value={address.get('zone') ?? (hygiene ? '' : '1')}
        onChange={({ target }) => address.set({ zone: target.value, skip: undefined })}
      >
        {hygiene && <option value="">all</option>}
        {zones.map(({ id: zone, name }) => (
          <option key={zone} value={zone}>
            {shortText(cleanText(name), 60)}
          </option>
        ))}
        {hygiene && <option value="0">Hygiene: no zone</option>}
      </select>
    </span>
  );
}
