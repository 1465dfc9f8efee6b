/** One finding: why it is dangerous, the way that it opens, what it rests on, and what closes it. */
import type { EvidenceRecord, UnifiedFindingRow } from '@clew/api';
import { useState } from 'react';
import { Link } from 'wouter';
import { pathTo } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { Markdown } from '../../parts/Markdown.tsx';
import { Name } from '../../parts/Name.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { PathDrawing } from '../../parts/PathDrawing.tsx';
import { Severity } from '../../parts/Severity.tsx';
import { call } from '../../service/client.ts';
import { useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText, valueText } from '../../text/cleanText.ts';
import {
  counted,
  formatAge,
  formatCount,
  formatMoment,
  formatShare,
  propertyText,
} from '../../text/formats.ts';
import { addToBasket } from '../whatIf/basket.ts';
import { AcceptDialog } from './AcceptDialog.tsx';
import { findingsPath } from './FindingsView.tsx';
import { type TextName, useText, useWay } from './finding.ts';

export default function FindingPage({ id }: { readonly id: number }) {
  const query = useAnswer('ListAttackPathFindings', { query: { id: `eq:${id}`, limit: 1 } });
  return (
    <div className="page">
      <Answer query={query} what="the finding" lines={8}>
        {({ data }) =>
          data[0] === undefined ? (
            <Empty title={`There is no finding ${id}`}>
              <p>
                It may have been one of an environment that you may not see.{' '}
                <Link href={findingsPath({})}>All findings</Link>
              </p>
            </Empty>
          ) : (
            <Finding row={data[0]} />
          )
        }
      </Answer>
    </div>
  );
}

function Finding({ row }: { readonly row: UnifiedFindingRow }) {
  const self = useSelf();
  const [accepting, setAccepting] = useState(false);
  const isOpen = row.status === 'active' || row.status === 'accepted';
  const resume = useChange(() =>
    call('UpdateAttackPathRisk', {
      params: { attack_path_id: row.id },
      body: { risk_type: row.finding, accepted: false },
    }),
  );
  return (
    <>
      <p>
        <Link href={findingsPath({})}>All findings</Link> ·{' '}
        <Link href={findingsPath({ type: row.finding })}>all of this type</Link> ·{' '}
        <Link href={findingsPath({ cause: row.group_id })}>all of this cause</Link>
      </p>
      <h1>{row.title}</h1>
      <p className="bar">
        <Severity severity={row.severity} /> <span>{row.status}</span>
        <span>first seen {formatAge(row.first_seen)}</span>
        <span>last seen {formatAge(row.last_seen)}</span>
        <span>
          <Name text={row.environment_name} id={row.environment_id} />, {row.zone_name || 'no zone'}
        </span>
      </p>
      <Standing row={row} />
      {row.status === 'accepted' && (
        <p className="card">
          Accepted
          {row.accepted_by && (
            <>
              {' '}
              by <Name text={row.accepted_by} />
            </>
          )}
          {row.accepted_until && <> until {formatMoment(row.accepted_until)}</>}
          {row.accepted_reason && <>: {cleanText(row.accepted_reason)}</>}
        </p>
      )}
      <dl className="figures">
        {row.finding_type === 'relationship' && (
          <div>
            <dt>Exposure</dt>
            <dd>{formatShare(row.exposure_percentage)}</dd>
            <span className="quiet">
              {row.exposure_count === 0
                ? 'no user or computer'
                : counted(row.exposure_count, 'user or computer', 'users and computers')}{' '}
              outside the zone can use it
            </span>
          </div>
        )}
        <div>
          <dt>Impact</dt>
          <dd>{formatShare(row.impact_percentage)}</dd>
          <span className="quiet">
            {row.impact_count === 0
              ? 'no user or computer falls with it'
              : `${counted(row.impact_count, 'user or computer falls', 'users and computers fall')} with it, those in the zone included`}
          </span>
        </div>
      </dl>
      <div className="bar">
        {self?.may('risks/ManageRisks') && row.status === 'active' && (
          <button type="button" onClick={() => setAccepting(true)}>
            Accept …
          </button>
        )}
        {self?.may('risks/ManageRisks') && row.status === 'accepted' && (
          <button type="button" disabled={resume.isPending} onClick={() => resume.mutate(undefined)}>
            End the acceptance
          </button>
        )}
      </div>
      <section className="card">
        <h2>Why it matters</h2>
        <Text row={row} name="short_description" />
      </section>
      {isOpen && <WaySection row={row} />}
      {isOpen && <EvidenceSection row={row} />}
      <section className="card">
        <h2>How to close it</h2>
        <Text row={row} name="short_remediation" />
        <details>
          <summary>Step by step</summary>
          <Text row={row} name="long_remediation" />
        </details>
        <details>
          <summary>References</summary>
          <Text row={row} name="references" />
        </details>
      </section>
      {accepting && (
        <AcceptDialog about={row.title} of={{ findings: [row] }} onClose={() => setAccepting(false)} />
      )}
    </>
  );
}

/** Why it has its severity, what the plan does about it, and which findings it stands for. */
function Standing({ row }: { readonly row: UnifiedFindingRow }) {
  const { severity_reason, closed_by, not_closed, parts = [], part_of } = row;
  const sentences = [severity_reason, closed_by, not_closed].filter((text) => text !== undefined);
  return (
    <>
      {sentences.length > 0 && <p>{sentences.join(' · ')}</p>}
      {parts.length > 0 && (
        <p>
          It stands for the same fact in other types:{' '}
          {parts.map((type, at) => (
            <span key={type}>
              {at > 0 && ', '}
              <Link href={findingsPath({ type })}>{type}</Link>
            </span>
          ))}
        </p>
      )}
      {part_of !== undefined && (
        <p>
          Another finding of the same fact stands for it:{' '}
          <Link href={findingsPath({ type: part_of })}>{part_of}</Link>
        </p>
      )}
    </>
  );
}

function Text({ row, name }: { readonly row: UnifiedFindingRow; readonly name: TextName }) {
  const query = useText(row, name);
  return (
    <Answer query={query} what="the text" lines={2}>
      {(text) =>
        text.trim() === '' ? <p className="quiet">There is nothing to say.</p> : <Markdown text={text} />
      }
    </Answer>
  );
}

function WaySection({ row }: { readonly row: UnifiedFindingRow }) {
  const details = useAnswer(
    'ListDomainAttackPathsDetails',
    {
      params: { domain_id: row.environment_id },
      query: { finding: row.finding, id: `eq:${row.id}`, asset_group_tag_id: `eq:${row.asset_group_tag_id}` },
    },
    { enabled: row.finding_type === 'relationship' },
  );
  const finding = details.data?.data[0];
  const kind = finding !== undefined && 'RelProps' in finding ? String(finding.RelProps.kind) : undefined;
  const isKnown = row.finding_type !== 'relationship' || kind !== undefined;
  const way = useWay(isKnown ? row : undefined, kind);
  return (
    <section className="card">
      <h2>The way</h2>
      <Answer query={way} what="the way" lines={6}>
        {({ graph, from, to }) =>
          graph.nodes.size === 0 ? (
            <p className="quiet">No path leads on from here; the finding is about the object itself.</p>
          ) : (
            <>
              <PathDrawing
                graph={graph}
                from={from}
                label={`The way of this finding, ${counted(graph.edges.length, 'relation')}`}
              />
              <Link className="button" href={pathTo('explore', { mode: 'path', from, to })}>
                Open in Explore
              </Link>
            </>
          )
        }
      </Answer>
    </section>
  );
}

/** From the largest group that reaches the source, through the finding, into the zone. */
function WholePath({ path }: { readonly path: NonNullable<EvidenceRecord['attack_path']> }) {
  const last = path.nodes.length - 1;
  return (
    <>
      <h3>The whole attack path</h3>
      <p className="quiet">
        Attack effort {path.effort}
        {!path.enters_zone && '; it ends at the target of this finding'}
        {path.through.length > 0 && (
          <>
            {'; it runs through '}
            {path.through.map(({ object_id, name }, at) => (
              <span key={object_id}>
                {at > 0 && ', '}
                <Name text={name} id={object_id} />
              </span>
            ))}
          </>
        )}
      </p>
      <ol className="edge-list">
        {path.relations.map((kind, at) => (
          <li key={`${path.nodes[at]?.object_id} ${kind}`}>
            <ObjectLink object={path.nodes[at]!} /> –{kind}→{' '}
            {at + 1 === last && <ObjectLink object={path.nodes[last]!} />}{' '}
            <span className="quiet">
              (effort {path.efforts[at]}){at === path.finding_step && ' this finding'}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

const FIRST_RELATIONS = 20;

function EvidenceSection({ row }: { readonly row: UnifiedFindingRow }) {
  const query = useAnswer('GetFindingEvidence', { params: { finding_id: row.id } });
  const [all, setAll] = useState(false);
  return (
    <section className="card">
      <h2>What it rests on</h2>
      <Answer query={query} what="the evidence">
        {({ data: { values, relations, advice, seen, repairs, attack_path } }) => (
          <>
            {attack_path && <WholePath path={attack_path} />}
            <ul>
              {values.map(({ object_id, name, property, value }) => (
                <li key={`${object_id} ${property}`}>
                  <Name text={name} id={object_id} />: {property} ={' '}
                  {propertyText(property, value) ?? cleanText(valueText(value))}
                </li>
              ))}
              {(all ? relations : relations.slice(0, FIRST_RELATIONS)).map((relation) => (
                <li
                  key={JSON.stringify([relation.source.object_id, relation.kind, relation.target.object_id])}
                >
                  <ObjectLink object={relation.source} /> –{relation.kind}→{' '}
                  <ObjectLink object={relation.target} />
                  {relation.is_inherited && (
                    <span className="quiet">
                      {' '}
                      inherited
                      {relation.inherited_from && (
                        <>
                          {' '}
                          from <Name text={relation.inherited_from.name} />
                        </>
                      )}
                    </span>
                  )}
                </li>
              ))}
              {seen.map(({ object_id, name, last_seen }) => (
                <li key={object_id} className="quiet">
                  <Name text={name} id={object_id} /> was last collected{' '}
                  {last_seen === null ? 'never' : formatAge(last_seen)}
                </li>
              ))}
            </ul>
            {!all && relations.length > FIRST_RELATIONS && (
              <button type="button" onClick={() => setAll(true)}>
                All {formatCount(relations.length)} relations
              </button>
            )}
            {advice.map((text) => (
              <p key={text}>{cleanText(text)}</p>
            ))}
            {repairs.length > 0 && <h3>What to change here</h3>}
            {repairs.map((repair) => (
              <div key={JSON.stringify(repair.repair)} className="card">
                <strong>{cleanText(repair.title)}</strong>
                <p>{cleanText(repair.change)}</p>
                <p className="quiet">{cleanText(repair.risk)}</p>
                <button
                  type="button"
                  onClick={() => addToBasket({ repairs: [repair.repair] }, { title: repair.title })}
                >
                  Add to What if
                </button>
              </div>
            ))}
          </>
        )}
      </Answer>
    </section>
  );
}
