/** The effect of changes: exposure before and after, closed and new findings, and the remaining paths. */
import type { SimulationRecord, SimulationRequest } from '@clew/api';
import { formatShare, principalsText } from '@clew/model';
import { BeforeAfter } from '../../parts/BeforeAfter.tsx';
import { FallBar } from '../../parts/FallBar.tsx';
import { Name } from '../../parts/Name.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatCount } from '../../text/formats.ts';
import { exposureBase, ofZone, shareIn, simulatedFall, TIER_ZERO } from '../fix/planFigures.ts';
import { isOneChange } from './isOneChange.ts';
import { RemainingPaths } from './RemainingPaths.tsx';
import { unchangedText } from './unchangedText.ts';

interface SimulatedProps {
  readonly record: SimulationRecord;
  /** The simulated changes. */
  readonly request: SimulationRequest;
}

export function Simulated({ record, request }: SimulatedProps) {
  const { asset_group_tag_id: zone = TIER_ZERO } = request;
  const after = new Map(ofZone(record.after, zone).map((entry) => [entry.environment_id, entry.exposure]));
  const { before, after: left } = simulatedFall(record, zone);
  const isOne = isOneChange(request);
  return (
    <>
      {before.all > 0 && (
        <>
          <p className="quiet">{exposureBase(ofZone(record.before, zone))}</p>
          <BeforeAfter before={shareIn(before)} after={shareIn(left)} />
          <p>
            {formatCount(left.exposed)} of {principalsText(left.all)} can reach the zone with{' '}
            {isOne ? 'this change' : 'these changes'}, {formatCount(before.exposed)}
            {left.all !== before.all && ` of ${formatCount(before.all)}`} without {isOne ? 'it' : 'them'}.
            {left.exposed === before.exposed && ` ${unchangedText(record, zone, isOne)}`}
          </p>
        </>
      )}
      <ul className="environment-falls">
        {ofZone(record.before, zone).map(({ environment_id, environment_name, exposure }) => (
          <EnvironmentFall
            key={environment_id}
            name={environment_name}
            before={exposure}
            after={after.get(environment_id) ?? exposure}
          />
        ))}
      </ul>
      {record.not_shown.map(({ environment_id, environment_name, reason }) => (
        <p key={environment_id} className="quiet">
          {cleanText(environment_name)}: {reason}
        </p>
      ))}
      {record.not_computed.map((text) => (
        <p key={text} className="quiet">
          {cleanText(text)}
        </p>
      ))}
      <details>
        <summary>
          {counted(record.closed_count, 'finding')} closed, {counted(record.opened_count, 'new finding')}
        </summary>
        <ul>
          {[
            ...record.closed.map((finding) => ({ finding, what: 'closed' })),
            ...record.opened.map((finding) => ({ finding, what: 'new' })),
          ].map(({ finding, what }) => (
            <li
              key={JSON.stringify([
                what,
                finding.finding,
                finding.source?.object_id,
                finding.target.object_id,
                finding.environment_id,
              ])}
            >
              {what}: {finding.title}, {finding.source && <Name text={finding.source.name} />}{' '}
              <ObjectLink object={finding.target} />
            </li>
          ))}
        </ul>
      </details>
      {record.remaining_path === null ? (
        <p className="ok">
          {record.not_shown.length === 0
            ? 'No path into the zone remains.'
            : 'No path through objects that you can see remains.'}
        </p>
      ) : (
        <RemainingPaths request={request} zone={zone} generation={record.generation} />
      )}
    </>
  );
}

interface EnvironmentFallProps {
  readonly name: string;
  /** Shares from 0 to 1. */
  readonly before: number;
  readonly after: number;
}

/** One environment: all bars have the same length, and the part that the changes remove is hatched. */
function EnvironmentFall({ name, before, after }: EnvironmentFallProps) {
  return (
    <li>
      <span>{cleanText(name)}</span>
      <FallBar before={before} after={Math.min(before, after)} />
      <span className="shares">
        {formatShare(before)} <span aria-hidden="true">→</span>
        <span className="unseen"> becomes </span> <strong>{formatShare(after)}</strong>
      </span>
    </li>
  );
}
