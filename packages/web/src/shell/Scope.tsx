/** Environment and zone of all pages, in the address. */
import { Globe, ShieldCheck } from 'lucide';
import { useAddress } from '../address.ts';
import { Icon } from '../parts/Icon.tsx';
import { useAnswer } from '../service/queries.ts';
import { cleanText, shortText } from '../text/cleanText.ts';

const HYGIENE = '0';

/**
 * Pages whose answers an environment or a zone filters (in Explore, the sets of objects); other pages only pass them
 * on.
 */
const BY_ENVIRONMENT = new Set(['/fix', '/findings', '/explore', '/posture', '/data', '/reports']);
const BY_ZONE = new Set([
  ...['/fix', '/findings', '/explore', '/posture', '/changes', '/what-if', '/reports'],
]);

export function Scope({ page }: { readonly page: string | undefined }) {
  const address = useAddress();
  const environments = useAnswer('GetAvailableDomains').data?.data ?? [];
  const zones = useAnswer('GetAssetGroupTags', { query: { type: 'eq:1' } }).data?.data.tags ?? [];
  const collected = environments.filter((one) => one.collected);
  const isList = page === '/findings';
  const env = address.get('env');
  const isKnown = env === undefined || collected.some(({ id }) => id === env);
  return (
    <div className="scope">
      {page !== undefined && BY_ENVIRONMENT.has(page) && (collected.length > 0 || env !== undefined) && (
        <label>
          <Icon of={Globe} />
          <span className="unseen">Environment</span>
          <select
            value={env ?? ''}
            onChange={({ target }) => address.set({ env: target.value, skip: undefined })}
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
      {page !== undefined && BY_ZONE.has(page) && zones.length > 0 && (
        <label className="zone">
          <Icon of={ShieldCheck} />
          <span className="unseen">Zone</span>
          <select
            value={address.get('zone') ?? (isList ? '' : '1')}
            onChange={({ target }) => address.set({ zone: target.value, skip: undefined })}
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
