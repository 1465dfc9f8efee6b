/**
 * Attack paths that remain after the selected changes, each with the repairs that close it. The answer takes longer than the
 * exposure, so it is a request of its own.
 */
import type { RemainingPathsRecord, SimulationRecord, SimulationRequest } from '@clew/api';
import { effortWords, principalsText, remainingText, shareOf, stepsOfPaths } from '@clew/model';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { pathTo } from '../../address.ts';
import { AddToWhatIf } from '../../parts/AddToWhatIf.tsx';
import { Answer } from '../../parts/Answer.tsx';
import { Cost } from '../../parts/Cost.tsx';
import { PathStrip } from '../../parts/PathStrip.tsx';
import { RulesButton } from '../../parts/RulesButton.tsx';
import { call } from '../../service/client.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';
import { exposureBase, exposureOf, zoneMark } from '../fix/planFigures.ts';
import { useSameGeneration } from './useSameGeneration.ts';

const SHOWN = 5;
const WAIT_SECONDS = 120;

type Path = RemainingPathsRecord['paths'][number];
type Exposures = SimulationRecord['after'];

interface RemainingPathsProps {
  readonly request: SimulationRequest;
  readonly zone: number;
  /** Generation of the simulation that the page shows. */
  readonly generation: number;
}

export function RemainingPaths({ request, zone, generation }: RemainingPathsProps) {
  const query = useQuery({
    queryKey: ['GetRemainingPaths', request],
    queryFn: async ({ signal }) =>
      (
        await call(
          'GetRemainingPaths',
          { body: { ...request, limit: SHOWN } },
          // Another process of the service may still load this analysis.
          { signal, wait: WAIT_SECONDS, generation },
        )
      ).data,
  });
  const { isGivenUp, tryAgain } = useSameGeneration(request, { simulated: generation, query });
  return (
    <section className="remaining-paths" aria-labelledby="remaining-paths">
      <h3 id="remaining-paths">Paths that remain</h3>
      <Answer query={query} what="the remaining paths" lines={4}>
        {(record) =>
          record.generation === generation ? (
            <Paths record={record} zone={zone} />
          ) : isGivenUp ? (
            <div className="actions">
              <p>
                The data was analyzed again in the meantime, and the paths are still those of another
                analysis.
              </p>
              <button type="button" onClick={tryAgain}>
                Try again
              </button>
            </div>
          ) : (
            <p className="quiet" role="status">
              The data was analyzed again in the meantime. The effect is being computed again.
            </p>
          )
        }
      </Answer>
    </section>
  );
}

function Paths({
  record: { paths, exposure, end },
  zone,
}: {
  readonly record: RemainingPathsRecord;
  readonly zone: number;
}) {
  return (
    <>
      <p className="quiet">
        {paths.length > 1 &&
          'The easiest first. Each is the easiest after the repairs of the paths above it, so each needs another repair. '}
        {end.text}
      </p>
      <ol className="plain-list">
        {paths.map((path, at) => (
          <li key={keyOf(path)} className="inset">
            <Remaining
              path={path}
              number={at + 1}
              zone={zone}
              before={paths.slice(0, at).findLast(({ after }) => after.length > 0)?.after ?? exposure}
            />
          </li>
        ))}
      </ol>
      {paths.length > 0 && (
        <div className="actions">
          <p className="quiet">Watch the steps of these paths for as long as they remain.</p>
          <RulesButton
            watched={() => ({
              steps: stepsOfPaths(paths),
              of: remainingText(paths.length),
            })}
            name="remaining-paths"
          />
        </div>
      )}
    </>
  );
}

/** Two paths can pass through the same objects over different relationships. */
const keyOf = ({ nodes, steps }: Path): string =>
  JSON.stringify([nodes.map(({ object_id }) => object_id), steps.map(({ kind }) => kind)]);

interface RemainingProps {
  readonly path: Path;
  readonly number: number;
  readonly zone: number;
  /** Exposure before the repairs of this path. */
  readonly before: Exposures;
}

function Remaining({ path, number, zone, before }: RemainingProps) {
  const { nodes, steps, effort, principal_count, closed_by, not_closed, after } = path;
  const [first, last] = [nodes[0], nodes.at(-1)];
  return (
    <>
      <div className="inset-head">
        <p>
          <strong>{number}.</strong> {counted(steps.length, 'step')}, {effortWords(effort)}
          {principal_count !== null && `, the easiest path of ${principalsText(principal_count)}`}
        </p>
        <Link href={pathTo('explore', { mode: 'path', from: first?.object_id, to: last?.object_id })}>
          Open in Explore
        </Link>
      </div>
      <PathStrip
        label={`Remaining path ${number}, from ${cleanText(first?.name ?? '')} to ${cleanText(last?.name ?? '')}`}
        nodes={nodes}
        steps={steps.map((step, at) => ({ ...step, isCut: at === closed_by?.step }))}
        endMark={zoneMark(zone)}
      />
      {closed_by === null ? (
        <p className="quiet">{not_closed?.text}</p>
      ) : (
        <ClosedBy closedBy={closed_by} before={before} after={after} />
      )}
    </>
  );
}

interface ClosedByProps {
  readonly closedBy: NonNullable<Path['closed_by']>;
  readonly before: Exposures;
  readonly after: Exposures;
}

function ClosedBy({ closedBy: { repairs, cost }, before, after }: ClosedByProps) {
  const title = repairs.map((repair) => repair.title).join('; ');
  const [from, to] = [exposureOf(before), exposureOf(after)];
  const isSum = repairs.length > 1;
  return (
    <div className="actions">
      <p>
        Closed by: {cleanText(title)} <Cost cost={cost} isSum={isSum} />
        {from.all > 0 && to.all > 0 && (
          <span className="quiet">
            {' '}
            {exposureBase(before)} {shareOf(from.exposed, from.all)} → {shareOf(to.exposed, to.all)}
          </span>
        )}
      </p>
      <AddToWhatIf
        request={{ repairs: repairs.map(({ repair }) => repair) }}
        title={title}
        cost={cost}
        isSum={isSum}
      />
    </div>
  );
}
