/** Findings grouped by their type, by the cause that one repair removes, or by their object. */

import type { FindingGroup } from '@clew/api';
import { formatShare } from '@clew/model';
import { Link } from 'wouter';
import type { Address } from '../../address.ts';
import { Name } from '../../parts/Name.tsx';
import { PagedList, pageIn } from '../../parts/PagedList.tsx';
import { Severity } from '../../parts/Severity.tsx';
import type { Column } from '../../parts/Table.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText, shortText } from '../../text/cleanText.ts';
import { counted, formatCount } from '../../text/formats.ts';
import { cardTitle, repairPath, TIER_ZERO } from '../fix/planFigures.ts';
import { MAX_CARDS, planIn, storedQuestion, usePlan, zoneOf } from '../fix/usePlan.ts';
import { findingFilters } from './filterChips.ts';
import { findingsPath } from './findingsPath.ts';
import { NoFindings } from './NoFindings.tsx';
import { type FindingSentence, useFindingSentences } from './sentence.ts';

const PAGE = 50;

type By = 'type' | 'cause' | 'object' | 'repair';

const NOUNS: Readonly<Record<By, string>> = {
  type: 'Type',
  cause: 'Root cause',
  object: 'Object',
  repair: 'Repair',
};

interface CommonProps {
  readonly by: By;
  readonly group: FindingGroup;
  readonly sentence: FindingSentence;
  readonly address: Address;
}

/** Shows the common part of a group's findings. */
function Common({ by, group: { lead, findings, repair }, sentence, address }: CommonProps) {
  if (by === 'object') return <Name text={lead.target_principal_name} id={lead.target_principal_id} />;
  if (by === 'type') return <Link href={findingsPath({ type: lead.finding })}>{lead.title}</Link>;
  if (by === 'repair' && lead.closed_by !== undefined) return <ClosedBy lead={lead} address={address} />;
  if (repair !== undefined)
    return (
      <>
        {cleanText(repair)} {lead.not_closed !== undefined && <small>{lead.not_closed}</small>}
      </>
    );
  const others = findings.length > 1 ? `, and ${counted(findings.length - 1, 'other type')}` : '';
  return (
    <>
      <bdi>{shortText(sentence.text, 200)}</bdi>{' '}
      <small>
        {sentence.type}
        {others}
      </small>
    </>
  );
}

/** The title of the repair if it is in the shown plan; otherwise its number. */
function ClosedBy({ lead, address }: { readonly lead: FindingGroup['lead']; readonly address: Address }) {
  const card = planIn(usePlan(storedQuestion(zoneOf(address)), MAX_CARDS).data)?.cards[
    (lead.repair ?? 0) - 1
  ];
  // Repair numbers always refer to the plan of Tier Zero, for findings of all zones.
  if (card === undefined || zoneOf(address) !== TIER_ZERO) return lead.closed_by;
  return (
    <>
      <Link href={repairPath(card)}>{cleanText(cardTitle(card))}</Link> <small>{lead.closed_by}</small>
    </>
  );
}

export function GroupsView({ by, address }: { readonly by: By; readonly address: Address }) {
  const page = pageIn(address, PAGE);
  const query = useAnswer(
    'ListAttackPathFindingGroups',
    { query: { by, skip: page.skip, limit: PAGE, ...findingFilters(address) } },
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
  const sentenceOf = useFindingSentences(query.data?.data.map(({ lead }) => lead) ?? []);
  const worst: Column<FindingGroup> = {
    title: 'Worst finding',
    grows: by === 'object',
    cell: ({ lead }) => {
      const { text, type } = sentenceOf(lead);
      if (by !== 'object')
        return (
          <Link href={`/finding/${lead.id}`} title={text}>
            Open finding
          </Link>
        );
      return (
        <>
          <Link href={`/finding/${lead.id}`}>
            <bdi>{shortText(lead.relation === undefined ? type : text, 200)}</bdi>
          </Link>{' '}
          {lead.relation !== undefined && <small>{type}</small>}
        </>
      );
    },
  };
  const columns: Column<FindingGroup>[] = [
    { title: 'Severity', isClear: true, cell: ({ lead }) => <Severity severity={lead.severity} /> },
    {
      title: NOUNS[by],
      grows: by !== 'object',
      isClear: true,
      cell: (group) => <Common by={by} group={group} sentence={sentenceOf(group.lead)} address={address} />,
    },
    ...(by === 'object' ? [worst] : []),
    {
      title: 'Findings',
      numeric: true,
      cell: (group) => <Link href={listOf(group)}>{formatCount(group.count)}</Link>,
    },
    {
      title: 'Largest exposure',
      numeric: true,
      givesWay: 1,
      cell: ({ lead }) => (lead.finding_type === 'relationship' ? formatShare(lead.exposure_percentage) : ''),
    },
    ...(by === 'object' ? [] : [worst]),
  ];
  return (
    <PagedList
      query={query}
      what="the groups"
      lines={8}
      page={page}
      rowsOf={({ data }) => data}
      caption={`Findings by ${by}`}
      columns={columns}
      keyOf={({ key }) => key}
      empty={<NoFindings address={address} />}
    />
  );
}
