/** A preview of a finding next to its list: its meaning, its path, and its remediation. */
import type { UnifiedFindingRow } from '@clew/api';
import { formatShare, principalsText } from '@clew/model';
import { X } from 'lucide';
import { Link } from 'wouter';
import { Icon } from '../../parts/Icon.tsx';
import { reasonText, Severity } from '../../parts/Severity.tsx';
import { capitalized } from '../../text/cleanText.ts';
import type { Owner } from './filterChips.ts';
import { closedReason, isClosed } from './finding.ts';
import { OwnerCell } from './OwnerCell.tsx';
import { PlanText } from './PlanText.tsx';
import { OpenPath } from './RowPath.tsx';
import { StateCell } from './StateCell.tsx';
import { type FindingSentence, lineOf } from './sentence.ts';

interface PeekProps {
  readonly row: UnifiedFindingRow;
  readonly sentence: FindingSentence;
  readonly owners: readonly Owner[];
  readonly mayManage: boolean;
  readonly onClose: () => void;
}

export function Peek({ row, sentence, owners, mayManage, onClose }: PeekProps) {
  const { text, type } = sentence;
  const about = lineOf(row, sentence);
  const plan = row.closed_by ?? row.lowered_by ?? row.not_closed;
  return (
    <aside className="peek card" aria-label="Preview of the finding">
      <header>
        <Severity severity={row.severity} />
        <button type="button" className="ghost" aria-label="Close the preview" onClick={onClose}>
          <Icon of={X} />
        </button>
      </header>
      <h2>
        <Link href={`/finding/${row.id}`}>
          <bdi>{text}</bdi>
        </Link>
      </h2>
      <p className="quiet">{type}</p>
      {row.finding_type === 'relationship' && (
        <p>
          <strong className="peek-number">{formatShare(row.exposure_percentage)}</strong>{' '}
          {principalsText(row.exposure_count)} can exploit it
        </p>
      )}
      {row.severity_reason !== undefined && (
        <p className="quiet">
          Why {row.severity}: {reasonText(row.severity_reason)}
        </p>
      )}
      <dl className="peek-facts">
        <dt>State</dt>
        <dd>
          <StateCell key={row.id} row={row} about={about} mayManage={mayManage} />
        </dd>
        <dt>Owner</dt>
        <dd>
          <OwnerCell key={row.id} row={row} about={about} owners={owners} mayManage={mayManage} />
        </dd>
        {plan !== undefined && (
          <>
            <dt>Repair</dt>
            <dd>
              <PlanText text={`${capitalized(plan)}.`} />
            </dd>
          </>
        )}
      </dl>
      <div className="inset">
        {isClosed(row) ? <p>{closedReason(row)}</p> : <OpenPath key={row.id} row={row} />}
      </div>
      <p>
        <Link className="button" href={`/finding/${row.id}`}>
          Open finding
        </Link>
      </p>
    </aside>
  );
}
