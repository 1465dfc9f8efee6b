/** Findings by what they share: their type, the cause that one repair takes away, or the object they are about. */
import type { FindingGroup } from '@clew/api';
import { Link } from 'wouter';
import type { Address } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { EnvironmentChoice, ZoneChoice } from '../../parts/Choices.tsx';
import { Name } from '../../parts/Name.tsx';
import { Severity } from '../../parts/Severity.tsx';
import { type Column, Pager, Table } from '../../parts/Table.tsx';
import { useAnswer } from '../../service/queries.ts';
import { counted, formatCount, formatShare } from '../../text/formats.ts';
import { findingFilters, findingsPath } from './FindingsView.tsx';

const PAGE = 50;

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
    { title: 'Most urgent', cell: ({ lead }) => <Severity severity={lead.severity} /> },
    {
      title: by === 'object' ? 'Object' : by === 'type' ? 'Type' : by === 'repair' ? 'Closed by' : 'Cause',
      cell: ({ lead, findings }) =>
        by === 'object' ? (
          <Name text={lead.target_principal_name} id={lead.target_principal_id} />
        ) : by === 'repair' && lead.closed_by !== undefined ? (
          lead.closed_by
        ) : by === 'type' ? (
          lead.title
        ) : (
          <>
            {lead.title}
            {findings.length > 1 && `, and ${counted(findings.length - 1, 'other type')}`}:{' '}
            <Name text={lead.source_principal_name || lead.target_principal_name} />
          </>
        ),
    },
    {
      title: 'Findings',
      numeric: true,
      cell: (group) => <Link href={listOf(group)}>{formatCount(group.count)}</Link>,
    },
    { title: 'Largest exposure', numeric: true, cell: ({ lead }) => formatShare(lead.exposure_percentage) },
    {
      title: 'Worst finding',
      cell: ({ lead }) => <Link href={`/finding/${lead.id}`}>{by === 'type' ? 'Show it' : lead.title}</Link>,
    },
  ];
  return (
    <>
      <div className="bar filters">
        <EnvironmentChoice address={address} />
        <ZoneChoice address={address} hygiene />
      </div>
      <Answer query={query} what="the groups" lines={8}>
        {({ data, count }) =>
          data.length === 0 ? (
            <Empty title="There are no findings here" />
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
    </>
  );
}
