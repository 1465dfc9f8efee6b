/** The evidence of a finding: relationships first, then properties, the least informative last. */
import type { EvidenceRecord } from '@clew/api';
import { useState } from 'react';
import { directoryRight, headWords } from '../../edges/directoryRights.ts';
import { useKindTexts } from '../../edges/useKindTexts.ts';
import { Name } from '../../parts/Name.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { useSaid } from '../../parts/oneDomain.ts';
import { shownValue, valueText } from '../../text/cleanText.ts';
import { formatAge, formatMoment, propertyText } from '../../text/formats.ts';

const FIRST_FACTS = 6;
/** Properties of objects are shown on request, because relationships are the main evidence. */
const FIRST_RELATIONS = 2;
/** Properties that describe the object, not the finding. */
const BACKGROUND = new Set([
  'whencreated',
  'operatingsystem',
  'lastlogon',
  'lastlogontimestamp',
  'pwdlastset',
]);

const PRINCIPALS = new Set([
  'User',
  'Group',
  'Computer',
  'AZUser',
  'AZGroup',
  'AZServicePrincipal',
  'AZDevice',
]);
const isPrincipal = (kind: string): boolean => PRINCIPALS.has(kind);

export function Evidence({ evidence }: { readonly evidence: EvidenceRecord }) {
  const [all, setAll] = useState(false);
  const said = useSaid();
  const { seen, advice } = evidence;
  // Rights of principals precede the structure of the directory.
  const relations = evidence.relations.toSorted(
    (a, b) => Number(isPrincipal(b.source.kind)) - Number(isPrincipal(a.source.kind)),
  );
  const textOf = useKindTexts(relations.map(({ kind }) => kind));
  const values = evidence.values
    .filter(({ value }) => valueText(value) !== '')
    .sort((a, b) => Number(BACKGROUND.has(a.property)) - Number(BACKGROUND.has(b.property)));
  const ages = new Map(seen.map((one) => [one.object_id, one]));
  const age = (id: string) => {
    const one = ages.get(id);
    const time = one?.last_seen ?? null;
    return time === null ? null : (
      <span
        className="quiet"
        title={`${one?.is_described === true ? 'Collected' : 'Mentioned'} ${formatMoment(time)}`}
      >
        {formatAge(time)}
      </span>
    );
  };
  const first =
    relations.length < FIRST_RELATIONS ? FIRST_FACTS - 2 : Math.min(relations.length, FIRST_FACTS);
  const facts = [
    ...relations.map((relation) => (
      <li key={JSON.stringify([relation.source.object_id, relation.kind, relation.target.object_id])}>
        <Fact relation={relation} phrase={textOf(relation.kind).phrase} />
        <div className="fact-end">
          <Origin relation={relation} />
          {age(relation.target.object_id) ?? age(relation.source.object_id)}
        </div>
      </li>
    )),
    ...values.map(({ object_id, name, property, value }) => (
      <li key={`${object_id} ${property}`}>
        <div>
          <code>{property}</code> {propertyText(property, value) ?? shownValue(value)}
          <p className="quiet">
            <Name text={name} id={object_id} />
          </p>
        </div>
        <div className="fact-end">{age(object_id)}</div>
      </li>
    )),
  ];
  return (
    <section className="card" aria-labelledby="evidence">
      <header className="section-head">
        <h2 id="evidence">Evidence</h2>
        {facts.length > first && (
          <span className="end">
            <button type="button" className="plain" aria-expanded={all} onClick={() => setAll(!all)}>
              {all
                ? `First ${first}`
                : `${evidence.relations_are_complete ? 'All' : 'First'} ${facts.length} facts`}
            </button>
          </span>
        )}
      </header>
      {facts.length === 0 ? (
        <p className="quiet">None found in the latest collection.</p>
      ) : (
        <ul className="evidence">{all ? facts : facts.slice(0, first)}</ul>
      )}
      {advice.map((text) => (
        <p key={text}>{said(text)}</p>
      ))}
    </section>
  );
}

type Relation = EvidenceRecord['relations'][number];

/** Shows a right in the terms of the directory, with its holder, and any other relationship as a sentence. */
function Fact({ relation, phrase }: { readonly relation: Relation; readonly phrase: string }) {
  const { kind, source, target } = relation;
  const right = directoryRight(kind);
  if (right !== undefined)
    return (
      <div>
        <strong>{right}</strong> {right !== kind && <code>{kind}</code>}
        <p className="quiet">
          granted to <ObjectLink object={source} /> on <ObjectLink object={target} />
          {headWords(target.kind)}
        </p>
      </div>
    );
  return (
    <div>
      {phrase !== kind && <strong>{phrase}</strong>} <code>{kind}</code>
      <p className="quiet">
        <ObjectLink object={source} /> <span aria-hidden="true">→</span>
        <span className="unseen"> to </span> <ObjectLink object={target} />
      </p>
    </div>
  );
}

/** The object on which an entry of an access list is set; other relationships have none. */
function Origin({ relation }: { readonly relation: Relation }) {
  if (relation.is_inherited)
    return (
      <p>
        inherited
        {relation.inherited_from && (
          <>
            {' '}
            from <Name text={relation.inherited_from.name} />
          </>
        )}
      </p>
    );
  return directoryRight(relation.kind) === undefined ? null : <p>explicit</p>;
}
