/**
 * Objects that can act on an object on its left, and objects that it can act on on its right: a card for each kind of
 * relationship with its exact count. It can be read, searched and navigated with the keyboard like a list.
 */
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { pathTo } from '../../address.ts';
import { EDGE_CATEGORIES, type EdgeCategory, edgeText } from '../../edges/edgeKinds.ts';
import { useKindTexts } from '../../edges/useKindTexts.ts';
import { kindLook } from '../../graph/kinds.ts';
import type { GraphNode } from '../../graph/model.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { FilteredOut } from '../../parts/FilteredOut.tsx';
import { KindMark } from '../../parts/KindMark.tsx';
import { describeError } from '../../service/queries.ts';
import { shortText } from '../../text/cleanText.ts';
import { counted, formatCount } from '../../text/formats.ts';
import { splitName } from '../../text/names.ts';
import type { ExploreActions } from './exploreActions.ts';
import { isLeftOut } from './exploreState.ts';
import {
  MORE_ROWS,
  type Neighborhood as Near,
  type NearKind,
  nearKey,
  readMore,
  readNeighborhood,
  type Side,
  tableQuery,
} from './neighborhood.ts';

/** Further cards of a side are folded into one. */
const MAX_CARDS = 12;
/** A longer text is not stored in the address. */
const MAX_NAME = 60;

interface NeighborhoodProps {
  readonly objectId: string;
  readonly selected: string | undefined;
  readonly hidden: ReadonlySet<string>;
  /** Excluded categories of relationships. */
  readonly without: ReadonlySet<EdgeCategory>;
  readonly onWithout: (categories: readonly EdgeCategory[]) => void;
  readonly actions: ExploreActions;
  readonly nameOf: (node: GraphNode) => string;
  readonly onCenter: (objectId: string) => void;
}

export function Neighborhood(props: NeighborhoodProps) {
  const { objectId } = props;
  const query = useQuery({
    queryKey: ['neighborhood', objectId],
    queryFn: async ({ signal }) => (await readNeighborhood(objectId, signal)) ?? null,
  });
  return (
    <div className="scroll">
      <Answer query={query} what="the relationships" lines={8}>
        {(near) =>
          near === null ? (
            <Empty title="The object is not in the latest results" />
          ) : near.kinds.length === 0 ? (
            <Empty title="No relationship of this object was collected" />
          ) : (
            <Sides near={near} {...props} />
          )
        }
      </Answer>
    </div>
  );
}

function Sides({ near, ...props }: NeighborhoodProps & { readonly near: Near }) {
  const kinds = near.kinds.filter(({ kind }) => !isLeftOut(kind, props.without));
  const shown = kinds.reduce((sum, one) => sum + (near.rows.get(nearKey(one))?.length ?? 0), 0);
  const left = near.kinds.length - kinds.length;
  const box = useRef<HTMLDivElement>(null);
  const lines = useLines(box, near);
  const side = (of: Side, title: string) => {
    const ofSide = kinds.filter((one) => one.side === of);
    return <Column side={of} title={title} kinds={ofSide} near={near} {...props} />;
  };
  const { center } = near;
  const { name, domain } = splitName(props.nameOf(center), center.kind);
  if (kinds.length === 0) return <AllLeftOut near={near} {...props} />;
  return (
    <>
      <p className="near-count">
        <strong>
          {formatCount(shown)} of {formatCount(near.total)}
        </strong>{' '}
        relationships shown,{' '}
        {left > 0
          ? `${left} of ${near.kinds.length} kinds left out`
          : near.kinds.length === 1
            ? 'its one kind'
            : `all ${near.kinds.length} kinds`}
      </p>
      <div className="near" ref={box}>
        <svg className="near-lines" aria-hidden="true">
          {lines.map(({ key, path, width, isMarked }) => (
            <path key={key} d={path} strokeWidth={width} className={isMarked ? 'marked' : ''} />
          ))}
        </svg>
        {side('in', 'Can act on it')}
        <div className="near-center">
          <button
            type="button"
            className={props.selected === center.id ? 'near-box chosen' : 'near-box'}
            aria-pressed={props.selected === center.id}
            onClick={() => props.actions.select(center.id)}
          >
            <KindMark kind={center.kind} size={34} />
            <span>
              <strong>
                <bdi>{shortText(name, MAX_NAME)}</bdi>
              </strong>
              <small>{domain ?? kindLook(center.kind).label}</small>
            </span>
            {center.isTierZero && <span className="zone-badge">T0</span>}
          </button>
        </div>
        {side('out', 'It can act on')}
      </div>
    </>
  );
}

/** Every category of the relationships of the object is excluded. */
function AllLeftOut({ near, without, onWithout }: NeighborhoodProps & { readonly near: Near }) {
  return (
    <FilteredOut
      noun={['relationship', 'relationships']}
      filters={[...without].map((category) => ({
        ...{ name: category, words: `No ${EDGE_CATEGORIES[category]}` },
        count: near.kinds.reduce(
          (sum, { kind, count }) => (edgeText(kind).category === category ? sum + count : sum),
          0,
        ),
        onDrop: () => onWithout([...without].filter((one) => one !== category)),
      }))}
      onClear={() => onWithout([])}
    />
  );
}

function Column({
  side,
  title,
  kinds,
  near,
  ...props
}: NeighborhoodProps & {
  readonly side: Side;
  readonly title: string;
  readonly kinds: readonly NearKind[];
  readonly near: Near;
}) {
  const [all, setAll] = useState(false);
  const total = kinds.reduce((sum, { count }) => sum + count, 0);
  const shown = all || kinds.length <= MAX_CARDS ? kinds : kinds.slice(0, MAX_CARDS - 1);
  return (
    <section className={`near-side ${side}`} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span>{formatCount(total)}</span>
      </header>
      {kinds.length === 0 && (
        <p className="quiet">
          {near.kinds.some((one) => one.side === side) ? 'Excluded by the filter of kinds' : 'None found'}
        </p>
      )}
      {shown.map((kind) => (
        <KindCard key={kind.kind} of={kind} first={near.rows.get(nearKey(kind)) ?? []} {...props} />
      ))}
      {shown.length < kinds.length && (
        <button type="button" onClick={() => setAll(true)}>
          {counted(kinds.length - shown.length, 'more kind')}
        </button>
      )}
    </section>
  );
}

function KindCard({
  of,
  first,
  objectId,
  selected,
  hidden,
  actions,
  nameOf,
  onCenter,
}: NeighborhoodProps & { readonly of: NearKind; readonly first: readonly GraphNode[] }) {
  const { side, kind, count, tierZeroCount } = of;
  const [pages, setPages] = useState(0);
  const more = useQuery({
    queryKey: ['neighborhood', objectId, side, kind, pages],
    enabled: pages > 0,
    queryFn: async ({ signal }) => {
      const rows: GraphNode[] = [];
      for (let page = 0; page < pages; page++)
        rows.push(...(await readMore(objectId, of, first.length + page * MORE_ROWS, signal)));
      return rows;
    },
    placeholderData: (before) => before,
  });
  const rows = [...first, ...(pages === 0 ? [] : (more.data ?? []))];
  const { phrase } = useKindTexts([kind])(kind);
  const left = count - rows.length;
  return (
    <article className="near-card" data-near={nearKey(of)}>
      <header>
        <h3>
          {phrase === kind ? kind : side === 'in' ? `${phrase} it` : phrase}
          {phrase.toLowerCase() !== kind.toLowerCase() && <small> {kind}</small>}
          {tierZeroCount > rows.length && (
            <span className="zone-badge" title={`including ${formatCount(tierZeroCount)} in Tier Zero`}>
              {formatCount(tierZeroCount)} T0
            </span>
          )}
        </h3>
        <span>{formatCount(count)}</span>
      </header>
      <ul>
        {rows
          .filter(({ id }) => !hidden.has(id))
          .map((node) => (
            <li key={node.id}>
              <button
                type="button"
                className={selected === node.id ? 'chosen' : ''}
                aria-pressed={selected === node.id}
                title={`${nameOf(node)} (${kindLook(node.kind).label}). Double-click to show its relationships`}
                onClick={() => actions.select(node.id)}
                onDoubleClick={() => onCenter(node.id)}
              >
                <KindMark kind={node.kind} size={18} />
                <bdi>{shortText(splitName(nameOf(node), node.kind).name, MAX_NAME)}</bdi>
                {node.isTierZero && <span className="zone-badge">T0</span>}
                {node.isOwned && <span className="badge">owned</span>}
              </button>
            </li>
          ))}
      </ul>
      {more.isError && <p role="alert">{describeError(more.error).text}</p>}
      {left > 0 && (
        <footer>
          <span>
            {formatCount(rows.length)} of {formatCount(count)} shown
          </span>
          <button
            type="button"
            className="plain"
            disabled={more.isFetching}
            onClick={() => setPages(pages + 1)}
          >
            Show {Math.min(MORE_ROWS, left)} more
          </button>
          <Link href={pathTo('explore', { mode: 'query', q: tableQuery(objectId, of), show: 'table' })}>
            Table
          </Link>
        </footer>
      )}
    </article>
  );
}

interface DrawnLine {
  readonly key: string;
  readonly path: string;
  readonly width: number;
  readonly isMarked: boolean;
}

/** Lines between the cards and the object, based on their positions on the page; the width represents the count. */
function useLines(box: React.RefObject<HTMLDivElement | null>, near: Near): readonly DrawnLine[] {
  const [lines, setLines] = useState<readonly DrawnLine[]>([]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const measure = () => {
      const origin = element.getBoundingClientRect();
      const center = element.querySelector('.near-box')?.getBoundingClientRect();
      if (center === undefined) return;
      const middle = center.top + center.height / 2 - origin.top;
      const next = [...element.querySelectorAll<HTMLElement>('.near-card')].flatMap((card): DrawnLine[] => {
        const key = card.dataset.near ?? '';
        const of = near.kinds.find((one) => nearKey(one) === key);
        const place = card.getBoundingClientRect();
        const isIn = of?.side === 'in';
        const from = (isIn ? place.right : center.right) - origin.left;
        const to = (isIn ? center.left : place.left) - origin.left;
        // Stacked columns have no connecting lines.
        if (of === undefined || to - from < 16) return [];
        const y = place.top + place.height / 2 - origin.top;
        const [fromY, toY] = isIn ? [y, middle] : [middle, y];
        const bend = (from + to) / 2;
        return [
          {
            key,
            path: `M${from} ${fromY}C${bend} ${fromY} ${bend} ${toY} ${to} ${toY}`,
            width: 1.2 + Math.log10(Math.max(1, of.count)),
            isMarked: of.tierZeroCount > 0 && of.side === 'out',
          },
        ];
      });
      setLines((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
    };
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    for (const card of element.querySelectorAll('.near-card, .near-side')) watcher.observe(card);
    // The object stays in view during scrolling of its cards.
    let frame = 0;
    const onScroll = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(measure);
    };
    addEventListener('scroll', onScroll, { capture: true, passive: true });
    return () => {
      watcher.disconnect();
      cancelAnimationFrame(frame);
      removeEventListener('scroll', onScroll, { capture: true });
    };
  }, [box, near]);
  return lines;
}
