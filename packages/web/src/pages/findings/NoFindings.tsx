/** Empty lists of findings: nothing was collected, nothing was found, or the filters exclude everything. */
import type { Address } from '../../address.ts';
import { Empty } from '../../parts/Answer.tsx';
import { FilteredList } from '../../parts/FilteredList.tsx';
import { NoData } from '../../parts/NoData.tsx';
import { useAnswer } from '../../service/queries.ts';
import { useMay } from '../../service/self.ts';
import { CHIP_NAMES, chipsOf, FROM_START, findingFilters } from './filterChips.ts';
import { useOwners } from './useOwners.ts';

/** The zone number for findings without a zone. */
const HYGIENE = '0';
const FILTERS = ['env', 'zone', ...CHIP_NAMES];

export function NoFindings({ address }: { readonly address: Address }) {
  const mayWrite = useMay('graphdb/Write');
  const environments = useAnswer('GetAvailableDomains').data?.data;
  const isFiltered = FILTERS.some((name) => address.get(name) !== undefined);
  if (!isFiltered && environments === undefined) return null;
  if (!isFiltered && !environments?.some(({ collected }) => collected))
    return (
      <NoData example="“SVC_SYNC can read the password hashes of all accounts”, critical, closed by card 1">
        Each relationship that leads closer to a zone is a finding here.
      </NoData>
    );
  if (!isFiltered)
    return (
      <Empty
        title="No open findings"
        example="“Members of Tier Zero without an owner”"
        action={mayWrite ? { words: 'Write a check', href: '/checks' } : undefined}
      >
        The latest analysis found nothing to repair. Custom checks can look for more.
      </Empty>
    );
  return <NothingMatches address={address} />;
}

/** The filters of the address, including the environment and zone of the page. */
function NothingMatches({ address }: { readonly address: Address }) {
  const types = useAnswer('ListAttackPathFindingTypes').data?.data ?? [];
  const owners = useOwners();
  const environments = useAnswer('GetAvailableDomains').data?.data ?? [];
  const zones = useAnswer('GetAssetGroupTags', { query: { type: 'eq:1' } }).data?.data.tags ?? [];
  const env = address.get('env');
  const zone = address.get('zone');
  const filters = [
    ...(env === undefined ? [] : [{ name: 'env', words: environmentWords(env, environments) }]),
    ...(zone === undefined ? [] : [{ name: 'zone', words: zoneWords(zone, zones) }]),
    ...chipsOf(address, types, owners),
  ];
  return (
    <FilteredList
      operationId="ListAttackPathFindings"
      noun={['finding', 'findings']}
      address={address}
      filters={filters}
      queryOf={findingFilters}
      reset={FROM_START}
      cleared={Object.fromEntries(FILTERS.map((name) => [name, undefined]))}
    />
  );
}

export function environmentWords(
  env: string,
  environments: readonly { readonly id: string; readonly name: string }[],
): string {
  const name = environments.find(({ id }) => id === env)?.name;
  return name === undefined ? 'one environment' : `Environment: ${name}`;
}

function zoneWords(zone: string, zones: readonly { readonly id: number; readonly name: string }[]): string {
  if (zone === HYGIENE) return 'Zone: Hygiene';
  const name = zones.find(({ id }) => String(id) === zone)?.name;
  return name === undefined ? 'one zone' : `Zone: ${name}`;
}
