/** Findings grouped by what they share: their type, the cause that one repair removes, or the object they are about. */

import type { FindingGroup } from '@clew/api';
import { formatShare } from '@clew/model';
import { Link } from 'wouter';
import type { Address } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { Name } from '../../parts/Name.tsx';
import { Severity } from '../../parts/Severity.tsx';
import { type Column, Pager, Table } from '../../parts/Table.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatCount } from '../../text/formats.ts';
import { cardTitle, repairPath, TIER_ZERO } from '../fix/planFigures.ts';
import { MAX_CARDS, planIn, usePlan, zoneOf } from '../fix/usePlan.ts';
import { findingsPath } from './FindingsView.tsx';
import { findingFilters } from './filterChips.ts';

const PAGE = 50;

/** The repair by its title, where the plan that is shown has it; else by its number alone. */
function ClosedBy({ lead, address }: { readonly lead: FindingGroup['lead']; readonly address: Address }) {
  const card = planIn(usePlan(address, MAX_CARDS).data)?.cards[(lead.repair ?? 0) - 1];
  // The repairs of findings are those of the plan of Tier Zero, whatever zone a finding is of.
  if (card === undefined || zoneOf(address) !== TIER_ZERO) return lead.closed_by;
  return (
    <>
      <Link href={repairPath(card)}>{cleanText(cardTitle(card))}</Link>
      <div className="meta">{lead.closed_by}</div>
    </>
  );
}

export function GroupsView({
  by,
  address,
}: {
  readonly by: 'type' | 'cause' | 'object' | 'repair';
  readonly address: Address;
}) {
  const skip = address.number('skip', 0);
  const query = useAnswer(
    'ListAttackPathFindingGroups',
    { query: { by, skip, limit: PAGE, ...findingFilters(address) } },
    { keep: true },
  );
  const kept = { env: address.get('env'), zone: address.get('zone'), severity: address.get('severity') };
  const listOf = ({ lead, key }: FindingGroup): string => {
    if (by === 'type') return findingsPath({ ...kept, type: lead.finding });
    if (by === 'cause') return findingsPath({ ...kept, cause: key });
    if (by === 'repair')
      return findingsPath(
        lead.repair === undefined
          ? { ...kept, type: lead.finding }
          : { ...kept, repair: String(lead.repair) },
      );
    return findingsPath({ ...kept, about: lead.target_principal_id });
  };
  const columns: Column<FindingGroup>[] = [
    { title: 'Severity', cell: ({ lead }) => <Severity severity={lead.severity} /> },
    {
      title: by === 'object' ? 'Object' : by === 'type' ? 'Type' : by === 'repair' ? 'Repair' : 'Root cause',
      cell: ({ lead, findings, repair }) =>
        by === 'object' ? (
          <Name text={lead.target_principal_name} id={lead.target_principal_id} />
        ) : by === 'repair' && lead.closed_by !== undefined ? (
          <ClosedBy lead={lead} address={address} />
        ) : repair !== undefined ? (
          <>
            {cleanText(repair)}
            {lead.not_closed !== undefined && <div className="meta">{lead.not_closed}</div>}
          </>
        ) : by === 'type' ? (
          lead.title
        ) : (
          <>
            {lead.title}
            {findings.length > 1 && `, and ${counted(findings.length - 1, 'other type')}`}:{' '}
            <Name text={lead.source_principal_name || lead.target_principal_name} />
            {lead.source_principal_name !== '' &&
              lead.source_principal_name !== lead.target_principal_name && (
                <>
                  {' → '}
                  <Name text={lead.target_principal_name} />
                </>
              )}
          </>
        ),
    },
    {
      title: 'Findings',
      numeric: true,
      cell: (group) => <Link href={listOf(group)}>{formatCount(group.count)}</Link>,
    },
    {
      title: 'Largest exposure',
      numeric: true,
      cell: ({ lead }) => (lead.finding_type === 'relationship' ? formatShare(lead.exposure_percentage) : ''),
    },
    {
      title: 'Worst finding',
      cell: ({ lead }) => (
        <Link href={`/finding/${lead.id}`}>{by === 'type' ? 'Open finding' : lead.title}</Link>
      ),
    },
  ];
  return (
    <Answer query={query} what="the groups" lines={8}>
      {({ data, count }) =>
        data.length === 0 ? (
          <Empty title="No findings match" />
        ) : (
          <>
            <Table caption={`Findings by ${by}`} columns={columns} rows={data} keyOf={({ key }) => key} />
            <Pager
              {...{ skip, count, limit: PAGE, shown: data.length }}
              onSkip={(to) => address.set({ skip: to || undefined })}
            />
          </>
        )
      }
    </Answer>
  );
}
