/** One finding: its attack path, its evidence, and its remediation. */

import type { UnifiedFindingRow } from '@clew/api';
import { exposureBase, formatShare } from '@clew/model';
import { ChevronRight, ShieldCheck } from 'lucide';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { Breakable } from '../../parts/Breakable.tsx';
import { Icon } from '../../parts/Icon.tsx';
import { useKey } from '../../parts/keys.ts';
import { Name } from '../../parts/Name.tsx';
import { NoteText } from '../../parts/NoteText.tsx';
import { notify } from '../../parts/notices.ts';
import { OneDomain } from '../../parts/oneDomain.ts';
import { reasonText, Severity } from '../../parts/Severity.tsx';
import { Stepper } from '../../parts/Stepper.tsx';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { capitalized, cleanText, shortText, uncapitalized } from '../../text/cleanText.ts';
import { countOfAll, formatAge, formatCount, formatMoment } from '../../text/formats.ts';
import { AcceptDialog } from './AcceptDialog.tsx';
import { AcceptedEvidence } from './AcceptedEvidence.tsx';
import { AssignDialog } from './AssignDialog.tsx';
import { ClosedPath } from './ClosedPath.tsx';
import { Evidence } from './Evidence.tsx';
import { FindingPath } from './FindingPath.tsx';
import { FindingText } from './FindingText.tsx';
import { isClosed } from './finding.ts';
import { findingsPath } from './findingsPath.ts';
import { neighborsOf } from './neighbors.ts';
import { Remediation } from './Remediation.tsx';
import { useFindingSentences } from './sentence.ts';
import { WaitingAcceptances } from './WaitingAcceptances.tsx';
import { dueWords, statusText } from './words.ts';

export default function FindingPage({ id }: { readonly id: number }) {
  const query = useAnswer('ListAttackPathFindings', { query: { id: `eq:${id}`, limit: 1 } });
  return (
    <div className="page">
      <Answer query={query} what="the finding" lines={8}>
        {({ data }) =>
          data[0] === undefined ? (
            <>
              <h1>{id > 0 ? `Finding ${id}` : 'Finding'} not found</h1>
              <Empty title="Finding not found">
                <p>
                  It may be in an environment outside your access.{' '}
                  <Link href={findingsPath({})}>All findings</Link>
                </p>
              </Empty>
            </>
          ) : (
            <Finding row={data[0]} />
          )
        }
      </Answer>
    </div>
  );
}

function Finding({ row }: { readonly row: UnifiedFindingRow }) {
  const isOpen = !isClosed(row);
  const evidence = useAnswer('GetFindingEvidence', { params: { finding_id: row.id } }, { enabled: isOpen });
  const found = evidence.data?.data;
  return (
    // The head of the page names the domain.
    <OneDomain value={cleanText(row.environment_name)}>
      <Head row={row} />
      {isOpen ? (
        <Answer query={evidence} what="the evidence" lines={6}>
          {({ data }) => <FindingPath row={row} path={data.attack_path} />}
        </Answer>
      ) : (
        <ClosedPath row={row} />
      )}
      <div className="two">
        <Remediation
          row={row}
          repairs={found?.repairs ?? []}
          isComplete={found?.repairs_are_complete ?? true}
          canHaveKit={isOpen && found !== undefined}
        >
          <Acceptance row={row} />
        </Remediation>
        <div>
          {found !== undefined && <Evidence evidence={found} />}
          <section className="card">
            <h2>Why it matters</h2>
            <FindingText row={row} name="short_description" />
            <Impact row={row} />
          </section>
          <WaitingAcceptances finding={row.id} />
          <Activity row={row} />
        </div>
      </div>
    </OneDomain>
  );
}

function Head({ row }: { readonly row: UnifiedFindingRow }) {
  const { text } = useFindingSentences([row])(row);
  const title = shortText(row.relation === undefined ? `${row.title}: ${text}` : text, 200);
  const isRelationship = row.finding_type === 'relationship';
  return (
    <>
      <nav className="crumbs" aria-label="Where this finding is">
        <Link href={findingsPath({})}>All findings</Link>
        <Icon of={ChevronRight} size={12} />
        <Link href={findingsPath({ type: row.finding })}>{row.title}</Link>
        <Icon of={ChevronRight} size={12} />
        <Link href={findingsPath({ cause: row.group_id })}>Same root cause</Link>
        <InList id={row.id} />
      </nav>
      <header className="finding-head">
        <div>
          <h1>
            <bdi>
              <Breakable text={title} />
            </bdi>
          </h1>
          <p className="marks">
            <Severity severity={row.severity} />
            <span className="mark">{statusText(row.status)}</span>
            <span className="mark zone">
              <Icon of={ShieldCheck} size={13} />
              <Name text={row.zone_name || 'No zone'} />
            </span>
            <Name text={row.environment_name} id={row.environment_id} />
            <Owner row={row} />
            {row.due !== undefined && (
              <span
                className={row.overdue ? 'warning' : undefined}
                title="By the service level of its severity"
              >
                {capitalized(dueWords(row.due, row.overdue))}
              </span>
            )}
            <span title={formatMoment(row.first_seen)}>First seen {formatAge(row.first_seen)}</span>
            <span title={formatMoment(row.last_seen)}>Last seen {formatAge(row.last_seen)}</span>
          </p>
          {row.severity_reason !== undefined && (
            <p className="quiet why-severe">
              Why {row.severity}: {uncapitalized(reasonText(row.severity_reason))}
            </p>
          )}
        </div>
        {isRelationship && (
          <p
            className="head-number"
            title={`Exposure: the share of the users and computers of the environment${exposureBase(row.asset_group_tag_id)} that can exploit it`}
          >
            <strong>{formatShare(row.exposure_percentage)}</strong>
            {row.exposure_count === 0
              ? 'no user or computer can exploit it'
              : `${countOfAll(row.exposure_count, row.exposure_percentage)} of ${cleanText(row.environment_name)}${exposureBase(row.asset_group_tag_id)} can exploit it`}
          </p>
        )}
      </header>
    </>
  );
}

/** The assigned user, and a button to change the assignment. */
function Owner({ row }: { readonly row: UnifiedFindingRow }) {
  const mayAssign = useSelf()?.may('risks/ManageRisks') ?? false;
  const [open, setOpen] = useState(false);
  const canAssign = mayAssign && !isClosed(row);
  useKey('o', canAssign ? () => setOpen(true) : undefined);
  return (
    <span className="owner">
      {row.owner_name === null ? (
        'No owner'
      ) : (
        <>
          Owner: <Name text={row.owner_name} />
        </>
      )}
      {canAssign && (
        <button type="button" className="plain" onClick={() => setOpen(true)}>
          {row.owner_name === null ? 'Assign…' : 'Change owner…'}
        </button>
      )}
      {open && (
        <AssignDialog
          count={1}
          owner={row.owner_id}
          of={{ findings: [row.id] }}
          onClose={() => setOpen(false)}
        />
      )}
    </span>
  );
}

/** The position in the list from which the finding was opened; `[` and `]` open its neighbors. */
function InList({ id }: { readonly id: number }) {
  const [, navigate] = useLocation();
  const neighbors = neighborsOf(id);
  const goTo = (at: number): void => {
    const next = neighbors?.idAt(at);
    if (next !== undefined) navigate(`/finding/${next}`);
  };
  useKey('[', neighbors && (() => goTo(neighbors.at - 1)));
  useKey(']', neighbors && (() => goTo(neighbors.at + 1)));
  if (neighbors === undefined) return null;
  return (
    <span className="in-list">
      <Stepper
        at={neighbors.at}
        count={neighbors.count}
        onStep={goTo}
        previous="Previous finding of the list"
        next="Next finding of the list"
      />
    </span>
  );
}

function Impact({ row }: { readonly row: UnifiedFindingRow }) {
  return (
    <p className="quiet">
      Impact {formatShare(row.impact_percentage)}:{' '}
      {row.impact_count === 0
        ? 'control of the target gives control of no user or computer.'
        : `control of the target gives control of ${countOfAll(row.impact_count, row.impact_percentage)}, including members of the zone.`}
    </p>
  );
}

/** The end year of acceptances without an end. */
const WITHOUT_END = '9999';

/** Maximum number of parts that the page names. */
const SHOWN_PARTS = 20;

/** The history of the finding, and the findings that it represents. */
function Activity({ row }: { readonly row: UnifiedFindingRow }) {
  const { parts = [], part_ids = [], part_count = 0, part_of, part_of_id, accepted_through } = row;
  return (
    <section className="card">
      <h2>Activity</h2>
      <ul className="evidence">
        {row.status === 'accepted' && (
          <li>
            <div>
              Accepted
              {row.accepted_by && (
                <>
                  {' '}
                  by <Name text={row.accepted_by} />
                </>
              )}
              {row.approved_by && (
                <>
                  , approved by <Name text={row.approved_by} />,
                </>
              )}
              {accepted_through !== undefined && (
                <>
                  {' '}
                  with <Link href={`/finding/${accepted_through}`}>finding {accepted_through}</Link>, which
                  represents it
                </>
              )}
              {row.accepted_until && !row.accepted_until.startsWith(WITHOUT_END) && (
                <> until {formatMoment(row.accepted_until)}</>
              )}
              {row.accepted_reason && (
                <>
                  : <NoteText text={row.accepted_reason} />
                </>
              )}
              {row.accepted_evidence && <AcceptedEvidence finding={row.id} />}
            </div>
          </li>
        )}
        {row.owner_name !== null && row.assigned_at !== undefined && (
          <li>
            <div>
              Assigned to <Name text={row.owner_name} />
              {row.assigned_by && (
                <>
                  {' '}
                  by <Name text={row.assigned_by} />
                </>
              )}
            </div>
            <div className="fact-end">
              <span className="quiet" title={formatMoment(row.assigned_at)}>
                {formatAge(row.assigned_at)}
              </span>
            </div>
          </li>
        )}
        <li>
          <div>Opened</div>
          <div className="fact-end">
            <span className="quiet" title={formatMoment(row.first_seen)}>
              {formatAge(row.first_seen)}
            </span>
          </div>
        </li>
      </ul>
      {parts.length > 0 && (
        <p>
          It represents the same fact in other types:{' '}
          {parts.map((type, at) => (
            <span key={type}>
              {at > 0 && ', '}
              <Link href={findingsPath({ type })}>{type}</Link>
            </span>
          ))}
          . {part_count === 1 ? 'That is' : `These are ${formatCount(part_count)}:`}{' '}
          {part_ids.slice(0, SHOWN_PARTS).map((id, at) => (
            <span key={id}>
              {at > 0 && ', '}
              <Link href={`/finding/${id}`}>finding {id}</Link>
            </span>
          ))}
          {part_count > SHOWN_PARTS && ` and ${formatCount(part_count - SHOWN_PARTS)} more`}
        </p>
      )}
      {part_of !== undefined && (
        <p>
          Another finding represents the same fact:{' '}
          {part_of_id === undefined ? (
            <Link href={findingsPath({ type: part_of })}>{part_of}</Link>
          ) : (
            <Link href={`/finding/${part_of_id}`}>
              finding {part_of_id} ({part_of})
            </Link>
          )}
        </p>
      )}
    </section>
  );
}

function Acceptance({ row }: { readonly row: UnifiedFindingRow }) {
  const self = useSelf();
  const [accepting, setAccepting] = useState(false);
  const reopen = useChange(
    () =>
      call('UpdateAttackPathRisk', {
        params: { attack_path_id: row.id },
        body: { risk_type: row.finding, accepted: false },
      }),
    { onError: (error) => notify(describeError(error).text) },
  );
  if (!self?.may('risks/ManageRisks')) return null;
  return (
    <footer className="actions">
      {row.status === 'active' && (
        <button type="button" onClick={() => setAccepting(true)}>
          Accept risk…
        </button>
      )}
      {row.status === 'accepted' && (
        <button type="button" disabled={reopen.isPending} onClick={() => reopen.mutate()}>
          Reopen
        </button>
      )}
      {accepting && (
        <AcceptDialog about={row.title} of={{ findings: [row] }} onClose={() => setAccepting(false)} />
      )}
    </footer>
  );
}
