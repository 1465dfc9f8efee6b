/** Environment and zone of all pages, in the address. */
import { Globe, ShieldCheck } from 'lucide';
import { useAddress } from '../address.ts';
import type { PageEntry } from '../pageRows.ts';
import { Icon } from '../parts/Icon.tsx';
import { useAnswer } from '../service/queries.ts';
import { useMay } from '../service/self.ts';
import { cleanText, shortText } from '../text/cleanText.ts';

const HYGIENE = '0';

export function Scope({ page }: { readonly page: PageEntry | undefined }) {
  const address = useAddress();
  const enabled = useMay('graphdb/Read');
  const environments = useAnswer('GetAvailableDomains', {}, { enabled }).data?.data ?? [];
  const tags = useAnswer('GetAssetGroupTags', { query: { type: 'eq:1' } }, { enabled });
  const zones = tags.data?.data.tags ?? [];
  const collected = environments.filter((one) => one.collected);
  const isList = page?.path === '/findings';
  const env = address.get('env');
  const isKnown = env === undefined || collected.some(({ id }) => id === env);
  return (
    <div className="scope">
      {page?.filters?.includes('env') && (collected.length > 0 || env !== undefined) && (
        <label>
          <Icon of={Globe} />
          <span className="unseen">Environment</span>
          <select
            value={env ?? ''}
            onChange={({ target }) => address.set({ env: target.value, skip: undefined, open: undefined })}
          >
            <option value="">All environments</option>
            {!isKnown && <option value={env}>{shortText(cleanText(env), 60)}</option>}
            {collected.map(({ id, name }) => (
              <option key={id} value={id}>
                {shortText(cleanText(name), 60)}
              </option>
            ))}
          </select>
        </label>
      )}
      {page?.filters?.includes('zone') && zones.length > 0 && (
        <label className="zone">
          <Icon of={ShieldCheck} />
          <span className="unseen">Zone</span>
          <select
            value={address.get('zone') ?? (isList ? '' : '1')}
            onChange={({ target }) => address.set({ zone: target.value, skip: undefined, open: undefined })}
          >
            {isList && <option value="">All zones</option>}
            {zones.map(({ id, name }) => (
              <option key={id} value={id}>
                {shortText(cleanText(name), 60)}
              </option>
            ))}
            {isList && <option value={HYGIENE}>Hygiene (no zone)</option>}
          </select>
        </label>
      )}
    </div>
  );
}
