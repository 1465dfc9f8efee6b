/** Cells of the list of findings. Only the mark of a row is colored, not its title. */

import type { FindingGroup, UnifiedFindingRow } from '@clew/api';
import { exposureBase } from '@clew/model';
import { ChevronRight } from 'lucide';
import { Link } from 'wouter';
import { Icon } from '../../parts/Icon.tsx';
import { ShareBar } from '../../parts/ShareBar.tsx';
import { capitalized, cleanText, shortText } from '../../text/cleanText.ts';
import { counted, countOfAll } from '../../text/formats.ts';
import { splitName } from '../../text/names.ts';
import { numberedPath } from '../fix/planFigures.ts';
import { PlanText } from './PlanText.tsx';
import type { FindingSentence } from './sentence.ts';

/** The sentence links to the finding; the type follows it, and is truncated first. */
interface FindingCellProps extends FindingSentence {
  readonly id: number;
  /** Whether the finding belongs to an opened row. */
  readonly isInside: boolean;
}

export function FindingCell({ id, text, type, isInside }: FindingCellProps) {
  return (
    <>
      <Link className={isInside ? 'quiet-title inside' : 'quiet-title'} href={`/finding/${id}`}>
        <bdi>{shortText(text, 200)}</bdi>
      </Link>{' '}
      <small>{type}</small>
    </>
  );
}

/** The card of the plan that closes the finding, in a word; on a phone, and on hover, as a sentence. */
export function RepairCell({ row }: { readonly row: UnifiedFindingRow }) {
  const { repair, lowered_repair, closed_by, lowered_by, not_closed } = row;
  const reason = closed_by ?? lowered_by ?? not_closed;
  if (reason === undefined) return '';
  const words = capitalized(cleanText(reason));
  return (
    <>
      <span className="in-row" title={words}>
        {repair !== undefined ? (
          <Link href={numberedPath(repair)}>Card {repair}</Link>
        ) : lowered_repair !== undefined ? (
          <>
            Less after <Link href={numberedPath(lowered_repair)}>card {lowered_repair}</Link>
          </>
        ) : closed_by !== undefined || lowered_by !== undefined ? (
          'By the plan'
        ) : (
          <span className="quiet">not in plan</span>
        )}
      </span>
      <span className="in-card quiet">
        <PlanText text={words} />
      </span>
    </>
  );
}

/** The name without its domain; the full name on hover. */
export function ShortName({
  text,
  id,
  kind,
}: {
  readonly text: string;
  readonly id: string;
  readonly kind: string;
}) {
  const whole = cleanText(text === '' ? id : text);
  const { name, domain } = splitName(whole, kind);
  return (
    <span className="short-name" title={shortText(whole, 1000)}>
      <bdi>{shortText(name, 80)}</bdi>
      {domain !== undefined && (
        <small>
          <bdi>{shortText(domain, 80)}</bdi>
        </small>
      )}
    </span>
  );
}

interface GroupCellProps {
  readonly group: FindingGroup;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Similar findings as one row that can be opened; it counts findings, because one user may have many of them. */
export function GroupCell({ group, isOpen, onToggle }: GroupCellProps) {
  return (
    <>
      <button type="button" className="plain group-toggle" aria-expanded={isOpen} onClick={onToggle}>
        <Icon of={ChevronRight} size={13} />
        {counted(group.count, 'finding')}: {shortText(cleanText(group.lead.title), 160)}
      </button>
      {group.lead.repair !== undefined && (
        <>
          {' '}
          <small>same repair</small>
        </>
      )}
    </>
  );
}

interface ExposureCellProps {
  readonly row: UnifiedFindingRow;
  /** Whether the row represents several findings, of which this one is the most urgent. */
  readonly isOfSeveral: boolean;
}

export function ExposureCell({ row, isOfSeveral }: ExposureCellProps) {
  const { exposure_percentage: share, exposure_count: count, asset_group_tag_id: zone } = row;
  const who = count === 0 ? 'no user or computer' : `${countOfAll(count, share)}${exposureBase(zone)}`;
  return (
    <ShareBar
      share={share}
      title={isOfSeveral ? `${who} can exploit the first of them` : `${who} can exploit it`}
    />
  );
}
