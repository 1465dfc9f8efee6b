/** The panel next to the drawing: an object, its rights, and the principals with rights on it. Opening it does not change the drawing. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Address, pathTo } from '../../address.ts';
import { kindLook } from '../../graph/kinds.ts';
import { AddToWhatIf } from '../../parts/AddToWhatIf.tsx';
import { Answer, Empty, Waiting } from '../../parts/Answer.tsx';
import { KindMark } from '../../parts/KindMark.tsx';
import { Name } from '../../parts/Name.tsx';
import { notify } from '../../parts/notices.ts';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { Pager } from '../../parts/Table.tsx';
import { call } from '../../service/client.ts';
import { describeError, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText, shortText, shownValue } from '../../text/cleanText.ts';
import { formatCount, formatMoment, isTime, propertyText } from '../../text/formats.ts';
import { findingsPath } from '../findings/FindingsView.tsx';
import { ObjectSections } from './AuthorSections.tsx';
import { OWNED_SET, TIER_ZERO_SET } from './endSets.ts';
import type { ExploreActions } from './exploreActions.ts';
import { type Section, sectionsOf, useObject } from './objectData.ts';

interface ObjectPanelProps {
  readonly objectId: string;
  readonly actions: ExploreActions;
  readonly address: Address;
  /** Shows the relationships of this object in place of those of another. */
  readonly onCenter: (() => void) | undefined;
  readonly onClose: () => void;
}

export function ObjectPanel({ objectId, actions, address, onCenter, onClose }: ObjectPanelProps) {
  const query = useObject(objectId);
  return (
    <aside className="panel" aria-label="Selected object">
      <button type="button" className="plain" onClick={onClose}>
        Close panel
      </button>
      <Answer query={query} what="the object" lines={6}>
        {(found) =>
          found === null ? (
            <Empty title="This object is not in the newest results">
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
  const self = useSelf();
  const properties = node.properties ?? {};
  const isDisabled = properties.enabled === false;
  return (
    <>
      <h2>
        <KindMark kind={node.kind} /> <Name text={node.label} id={objectId} />
      </h2>
      <p>
        {kindLook(node.kind).label}
        {node.isTierZero && <span className="mark zone">Tier Zero</span>}
        {node.isOwnedObject && <span className="badge">owned</span>}
        {isDisabled && <span className="badge">disabled</span>}
      </p>
      <div className="chips">
        <button
          type="button"
          onClick={() => address.set({ mode: 'path', from: objectId, selected: undefined })}
        >
          Paths from here
        </button>
        <button
          type="button"
          onClick={() => address.set({ mode: 'path', to: objectId, selected: undefined })}
        >
          Paths to here
        </button>
        <button
          type="button"
          onClick={() => address.set({ mode: 'path', from: OWNED_SET, to: objectId, selected: undefined })}
        >
          From owned to here
        </button>
        <button
          type="button"
          onClick={() =>
            address.set({ mode: 'path', from: objectId, to: TIER_ZERO_SET, selected: undefined })
          }
        >
          To Tier Zero
        </button>
        {onCenter !== undefined && (
          <button type="button" onClick={onCenter}>
            Show its relationships
          </button>
        )}
        <button type="button" onClick={() => actions.expand({ objectId, section: 'near', kind: node.kind })}>
          Add relationships
        </button>
        <button type="button" onClick={() => actions.hide(objectId)}>
          Hide
        </button>
        <button type="button" onClick={() => void copy(objectId)}>
          Copy id
        </button>
        {['User', 'Computer', 'AZUser', 'AZServicePrincipal'].includes(node.kind) && (
          <AddToWhatIf
            request={{ disable: [objectId] }}
            title={`Disable ${node.label}`}
            words="Disable in What if"
          />
        )}
      </div>
      {self?.may('graphdb/Write') && (
        <Marks objectId={objectId} isTierZero={node.isTierZero} isOwned={node.isOwnedObject} />
      )}
      <p>
        <Link href={findingsPath({ about: objectId })}>Findings about it</Link>
      </p>
      <ObjectSections nodeKey={key} kinds={node.kinds} />
      <Sections objectId={objectId} kind={node.kind} actions={actions} />
      <details>
        <summary>Properties</summary>
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
            {Object.entries(properties)
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
      </details>
    </>
  );
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(cleanText(text));
    notify('Copied');
  } catch {
    notify('The browser did not allow to copy');
  }
}

/** Groups of the older form, by the numbers they always have. */
const TIER_ZERO_GROUP = 1;
const OWNED_GROUP = 2;

function Marks({
  objectId,
  isTierZero,
  isOwned,
}: {
  readonly objectId: string;
  readonly isTierZero: boolean;
  readonly isOwned: boolean;
}) {
  const change = useChange(async ({ group, action }: { group: number; action: 'add' | 'remove' }) => {
    await call('UpdateAssetGroupSelectors', {
      params: { asset_group_id: group },
      body: [{ selector_name: objectId.slice(0, 200), sid: objectId, action }],
    });
  }, []);
  return (
    <div className="chips">
      <button
        type="button"
        disabled={change.isPending}
        onClick={() => change.mutate({ group: OWNED_GROUP, action: isOwned ? 'remove' : 'add' })}
      >
        {isOwned ? 'No longer owned' : 'Mark as owned'}
      </button>
      <button
        type="button"
        disabled={change.isPending}
        onClick={() => change.mutate({ group: TIER_ZERO_GROUP, action: isTierZero ? 'remove' : 'add' })}
      >
        {isTierZero ? 'Take out of Tier Zero' : 'Add to Tier Zero'}
      </button>
      {change.isSuccess && <p role="status">It takes effect with the next analysis.</p>}
      {change.isError && (
        <p role="alert" className="failure">
          {describeError(change.error).text}
        </p>
      )}
    </div>
  );
}

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
    return <p className="quiet">Objects of this kind have no lists. Their relationships can be drawn.</p>;
  return (
    <Answer query={query} what="the lists" lines={4}>
      {(all) => (
        <ul className="sections">
          {all.map((section) => (
            <li key={section.id}>
              <SectionView objectId={objectId} kind={kind} section={section} actions={actions} />
            </li>
          ))}
        </ul>
      )}
    </Answer>
  );
}

const PAGE = 20;
/** More objects than this are a list, not a drawing. */
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
            {...{ skip, limit: PAGE, count: query.data.count, shown: query.data.objects.length }}
            onSkip={setSkip}
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
