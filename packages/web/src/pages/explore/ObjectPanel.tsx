/**
 * The panel of an object next to the drawing: its rights, and the principals with rights on it. Opening it does not change the
 * drawing.
 */
import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Route, X } from 'lucide';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Address, pathTo } from '../../address.ts';
import { kindLook } from '../../graph/kinds.ts';
import { AddToWhatIf } from '../../parts/AddToWhatIf.tsx';
import { Answer, Empty, Waiting } from '../../parts/Answer.tsx';
import { copyText } from '../../parts/copy.ts';
import { Icon } from '../../parts/Icon.tsx';
import { KindMark } from '../../parts/KindMark.tsx';
import { Menu } from '../../parts/Menu.tsx';
import { Name } from '../../parts/Name.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { Segments } from '../../parts/Segments.tsx';
import { Severity } from '../../parts/Severity.tsx';
import { Pager } from '../../parts/Table.tsx';
import { describeError, useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText, shortText, shownValue } from '../../text/cleanText.ts';
import { counted, formatCount, formatMoment, isTime, propertyText } from '../../text/formats.ts';
import { splitName } from '../../text/names.ts';
import { findingsPath } from '../findings/findingsPath.ts';
import { useFindingSentences } from '../findings/sentence.ts';
import { ObjectSections } from './AuthorSections.tsx';
import { ACCOUNTS } from './accounts.ts';
import { OUTSIDE_SET, OWNED_SET, TIER_ZERO_SET } from './endSets.ts';
import type { ExploreActions } from './exploreActions.ts';
import { type MarkedObject, markChanges, useMarkChange } from './markChange.ts';
import { type Section, sectionsOf, useObject } from './objectData.ts';
import { Reach } from './Reach.tsx';

interface ObjectPanelProps {
  readonly objectId: string;
  readonly actions: ExploreActions;
  readonly address: Address;
  /** Shows the relationships of this object instead of those of the current one. */
  readonly onCenter: (() => void) | undefined;
  readonly onClose: () => void;
}

export function ObjectPanel({ objectId, actions, address, onCenter, onClose }: ObjectPanelProps) {
  const query = useObject(objectId);
  return (
    <aside className="panel" aria-label="Selected object">
      <ClosePanel onClose={onClose} />
      <Answer query={query} what="the object" lines={6}>
        {(found) =>
          found === null ? (
            <Empty title="This object is not in the latest results">
              <p className="quiet">
                <Name text={objectId} />
              </p>
            </Empty>
          ) : (
            <Known {...{ objectId, found, actions, address, onCenter }} />
          )
        }
      </Answer>
    </aside>
  );
}

export function ClosePanel({ onClose }: { readonly onClose: () => void }) {
  return (
    <button type="button" className="ghost close-panel" title="Close panel (Esc)" onClick={onClose}>
      <Icon of={X} />
      <span className="unseen">Close panel</span>
    </button>
  );
}

type Found = NonNullable<NonNullable<ReturnType<typeof useObject>['data']>>;

function Known({
  objectId,
  found: { key, node },
  actions,
  address,
  onCenter,
}: {
  readonly onCenter: (() => void) | undefined;
  readonly objectId: string;
  readonly found: Found;
  readonly actions: ExploreActions;
  readonly address: Address;
}) {
  const [view, setView] = useState<View>('Relationships');
  const properties = node.properties ?? {};
  const { label } = kindLook(node.kind);
  const name = cleanText(node.label === '' ? objectId : node.label);
  const split = splitName(name, node.kind);
  return (
    <>
      <header className="panel-head">
        <KindMark kind={node.kind} size={38} />
        <div>
          <h2>
            <Name text={split.name} />
          </h2>
          <p className="quiet">
            {label}
            {split.domain !== undefined && (
              <>
                {' · '}
                <Name text={split.domain} />
              </>
            )}
          </p>
        </div>
      </header>
      <p className="marks">
        {node.isTierZero && <span className="mark zone">Tier Zero</span>}
        {node.isOwnedObject && <span className="mark">owned</span>}
        {properties.enabled === false && <span className="mark">disabled</span>}
        <FindingCount objectId={objectId} />
      </p>
      <Reach key={objectId} objectId={objectId} />
      <PanelActions {...{ objectId, node, actions, address, onCenter }} />
      <Segments
        label="Details of the object"
        choices={VIEWS.map((one) => [one, one] as const)}
        chosen={view}
        onChoose={setView}
      />
      {view === 'Relationships' && (
        <>
          <ObjectSections nodeKey={key} kinds={node.kinds} />
          <Sections objectId={objectId} kind={node.kind} actions={actions} />
        </>
      )}
      {view === 'Properties' && <Properties objectId={objectId} node={node} />}
      {view === 'Findings' && <ObjectFindings objectId={objectId} />}
    </>
  );
}

const VIEWS = ['Relationships', 'Properties', 'Findings'] as const;
type View = (typeof VIEWS)[number];

function PanelActions({
  objectId,
  node,
  actions,
  address,
  onCenter,
}: Pick<ObjectPanelProps, 'objectId' | 'actions' | 'address' | 'onCenter'> & {
  readonly node: Found['node'];
}) {
  const self = useSelf();
  const path = (ends: { readonly from?: string; readonly to?: string; readonly ways?: string }) =>
    address.set({ mode: 'path', selected: undefined, ...ends });
  const toTierZero = () => path({ from: objectId, to: TIER_ZERO_SET });
  const toHere = () => path({ from: OUTSIDE_SET, to: objectId, ways: 'easiest' });
  return (
    <div className="actions">
      {node.isTierZero ? (
        <button type="button" className="main" onClick={toHere}>
          <Icon of={Route} />
          Paths to here
        </button>
      ) : (
        <>
          <button type="button" className="main" onClick={toTierZero}>
            <Icon of={Route} />
            Paths to Tier Zero
          </button>
          <button type="button" onClick={toHere}>
            Paths to here
          </button>
        </>
      )}
      <Menu title="More actions" icon={<Icon of={Ellipsis} />} isOfActions>
        <button type="button" onClick={() => path({ from: objectId })}>
          Paths from here
        </button>
        <button type="button" onClick={() => path({ from: OWNED_SET, to: objectId })}>
          Paths from owned to here
        </button>
        {node.isTierZero && (
          <button type="button" onClick={toTierZero}>
            Paths to Tier Zero
          </button>
        )}
        {onCenter !== undefined && (
          <button type="button" onClick={onCenter}>
            Show its relationships
          </button>
        )}
        <button type="button" onClick={() => actions.expand({ objectId, section: 'near', kind: node.kind })}>
          Add relationships
        </button>
        <button type="button" onClick={() => actions.hide(objectId, cleanText(node.label || objectId))}>
          Hide
        </button>
        <button type="button" onClick={() => void copyText(objectId)}>
          Copy id
        </button>
        {ACCOUNTS.includes(node.kind) && (
          <AddToWhatIf
            request={{ disable: [objectId] }}
            title={`Disable ${node.label}`}
            words="Disable in What if"
          />
        )}
        {self?.may('graphdb/Write') && (
          <Marks
            id={objectId}
            name={cleanText(node.label || objectId)}
            isTierZero={node.isTierZero}
            isOwned={node.isOwnedObject}
          />
        )}
      </Menu>
    </div>
  );
}

function Properties({ objectId, node }: { readonly objectId: string; readonly node: Found['node'] }) {
  return (
    <table className="properties">
      <tbody>
        <tr>
          <th scope="row">objectid</th>
          <td>
            <Name text={objectId} />
          </td>
        </tr>
        {isTime(node.lastSeen) && (
          <tr>
            <th scope="row">last seen</th>
            <td>{formatMoment(node.lastSeen)}</td>
          </tr>
        )}
        {Object.entries(node.properties ?? {})
          .filter(([name]) => !['objectid', 'lastseen'].includes(name))
          .sort(([a], [b]) => a.localeCompare(b))
          .map(([name, value]) => (
            <tr key={name}>
              <th scope="row">
                <bdi>{shortText(cleanText(name), 80)}</bdi>
              </th>
              <td>
                <bdi>{propertyText(name, value) ?? shortText(shownValue(value), 2000)}</bdi>
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

const FIRST_FINDINGS = 10;

const useFindingsAbout = (objectId: string) =>
  useAnswer('ListAttackPathFindings', {
    query: { target_principal_id: `eq:${objectId}`, sort_by: ['urgency'], limit: FIRST_FINDINGS },
  });

function FindingCount({ objectId }: { readonly objectId: string }) {
  const count = useFindingsAbout(objectId).data?.count ?? 0;
  return count === 0 ? null : (
    <Link className="mark" href={findingsPath({ about: objectId })}>
      {counted(count, 'finding')}
    </Link>
  );
}

function ObjectFindings({ objectId }: { readonly objectId: string }) {
  const query = useFindingsAbout(objectId);
  const sentenceOf = useFindingSentences(query.data?.data ?? []);
  return (
    <Answer query={query} what="the findings" lines={4}>
      {({ data, count }) =>
        count === 0 ? (
          <p className="quiet">No open finding is about it.</p>
        ) : (
          <>
            <ul className="evidence">
              {data.map((row) => {
                const { text, type } = sentenceOf(row);
                return (
                  <li key={row.id}>
                    <div>
                      <Link href={`/finding/${row.id}`}>
                        <bdi>{row.relation === undefined ? type : text}</bdi>
                      </Link>
                      {row.relation !== undefined && <p className="quiet">{type}</p>}
                    </div>
                    <Severity severity={row.severity} />
                  </li>
                );
              })}
            </ul>
            {count > data.length && (
              <Link href={findingsPath({ about: objectId })}>All {formatCount(count)} findings</Link>
            )}
          </>
        )
      }
    </Answer>
  );
}

function Marks(object: MarkedObject) {
  const change = useMarkChange();
  return markChanges(object).map((one) => (
    <button key={one.words} type="button" disabled={change.isPending} onClick={() => change.mutate(one)}>
      {one.words}
    </button>
  ));
}

/** Lists of objects that the object can act on, or belongs to; other lists contain objects that can act on it. */
const OUTBOUND =
  /^(?:memberships|group-membership|controllables|roles|active-assignments|eligible-roles|gpos|.*-rights|outbound-.*)$/;

function Sections({
  objectId,
  kind,
  actions,
}: {
  readonly objectId: string;
  readonly kind: string;
  readonly actions: ExploreActions;
}) {
  const sections = sectionsOf(kind);
  const query = useQuery({
    queryKey: ['sections', kind, objectId],
    enabled: sections !== undefined,
    queryFn: ({ signal }) => sections!.read(objectId, signal),
  });
  if (sections === undefined)
    return <p className="quiet">Objects of this kind have no lists. You can draw their relationships.</p>;
  return (
    <Answer query={query} what="the lists" lines={4}>
      {(all) => {
        const sides = [
          ['Can act on it', all.filter(({ id }) => !OUTBOUND.test(id))],
          ['It can act on', all.filter(({ id }) => OUTBOUND.test(id))],
        ] as const;
        return sides.map(
          ([title, some]) =>
            some.length > 0 && (
              <section key={title} aria-label={`${title}, lists`}>
                <h3 className="side-title">{title}</h3>
                <ul className="sections">
                  {some.map((section) => (
                    <li key={section.id}>
                      <SectionView objectId={objectId} kind={kind} section={section} actions={actions} />
                    </li>
                  ))}
                </ul>
              </section>
            ),
        );
      }}
    </Answer>
  );
}

const PAGE = 20;
/** Maximum number of objects in a drawing; more are only listed. */
const MAX_DRAWN = 1000;

function SectionView({
  objectId,
  kind,
  section,
  actions,
}: {
  readonly objectId: string;
  readonly kind: string;
  readonly section: Section;
  readonly actions: ExploreActions;
}) {
  const [open, setOpen] = useState(false);
  const [skip, setSkip] = useState(0);
  const query = useQuery({
    queryKey: ['section', kind, objectId, section.id, skip],
    enabled: open && section.count > 0,
    queryFn: ({ signal }) => sectionsOf(kind)!.page(objectId, section.id, skip, PAGE, signal),
    placeholderData: (before) => before,
  });
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span title={section.holds}>{section.title}</span> <span>{formatCount(section.count)}</span>
      </summary>
      <p className="quiet">{section.holds}</p>
      {open && section.count > 0 && query.data === undefined && !query.isError && <Waiting what="the list" />}
      {query.data !== undefined && (
        <>
          <ul className="plain-list">
            {query.data.objects.map((object) => (
              <li key={object.object_id}>
                <ObjectLink object={object} />
              </li>
            ))}
          </ul>
          <Pager
            list={section.title}
            page={{ skip, limit: PAGE, onSkip: setSkip }}
            count={query.data.count}
            shown={query.data.objects.length}
          />
          {section.count <= MAX_DRAWN ? (
            <div className="chips">
              <button type="button" onClick={() => actions.expand({ objectId, section: section.id, kind })}>
                Add to the drawing
              </button>
              <Link
                className="button"
                href={pathTo('explore', {
                  object: objectId,
                  with: [`${kind}~${section.id}~${objectId}`],
                  only: '1',
                })}
              >
                Open as a drawing
              </Link>
            </div>
          ) : (
            <p className="quiet">More than {formatCount(MAX_DRAWN)} are shown as a list only.</p>
          )}
        </>
      )}
      {query.isError && <p role="alert">{describeError(query.error).text}</p>}
    </details>
  );
}
