/** The attack path of a finding, from the largest group that can use it into the zone. */
import type { EvidenceRecord, FindingPathsRecord, UnifiedFindingRow } from '@clew/api';
import { effortWords, principalsText } from '@clew/model';
import { Link } from 'wouter';
import { pathTo, useAddress } from '../../address.ts';
import { Answer } from '../../parts/Answer.tsx';
import { useKey } from '../../parts/keys.ts';
import { Name } from '../../parts/Name.tsx';
import { PlayButton, PlayerBar, usePlayer } from '../../parts/PathPlayer.tsx';
import { type PathObject, type PathStep, PathStrip } from '../../parts/PathStrip.tsx';
import { Segments } from '../../parts/Segments.tsx';
import { Stepper } from '../../parts/Stepper.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatCount } from '../../text/formats.ts';
import { markOf, NO_WAY, stepsOf, useWay } from './finding.ts';

interface FindingPathProps {
  readonly row: UnifiedFindingRow;
  readonly path: EvidenceRecord['attack_path'];
}

export function FindingPath({ row, path }: FindingPathProps) {
  return (
    <section className="card" aria-labelledby="attack-path">
      {path === null ? <ShortPath row={row} /> : <WholePath row={row} path={path} />}
    </section>
  );
}

/** Addresses identify a path by its position from 1, or by one of two names. */
const CHOICES = ['shortest', 'used'] as const;

function WholePath({
  row,
  path,
}: {
  row: UnifiedFindingRow;
  path: NonNullable<EvidenceRecord['attack_path']>;
}) {
  const address = useAddress();
  const query = useAnswer('GetFindingPaths', { params: { finding_id: row.id } });
  const several = query.data?.data;
  const chosen = address.get('path');
  const at = several === undefined ? 0 : placeOf(several, chosen);
  const shown = several?.paths[at] ?? path;
  const choose = (next: string | undefined) => address.set({ path: next }, { replace: true });
  const stepTo = (place: number) => choose(place === 0 ? undefined : String(place + 1));
  const count = several?.paths.length ?? 1;
  useKey('p', count > 1 ? () => stepTo((at + 1) % count) : undefined);
  return (
    <Drawn
      nodes={shown.nodes}
      steps={stepsOf(shown)}
      mark={shown.enters_zone ? markOf(row) : undefined}
      choice={
        several !== undefined &&
        count > 1 && (
          <div className="path-choice">
            <Segments<string>
              label="Path"
              choices={[
                ['shortest', 'Shortest'],
                ...(several.most_used === null ? [] : [['used', 'Most used'] as const]),
                ['all', countText(several)],
              ]}
              chosen={CHOICES.find((one) => one === chosen) ?? 'all'}
              onChoose={(next) => choose(next === 'all' ? undefined : next)}
            />
            <Stepper
              at={at}
              count={count}
              onStep={stepTo}
              previous="Previous path"
              next="Next path"
              words={several.count > count ? ' shown' : several.is_complete ? '' : ' found'}
            />
            {several.paths[at] !== undefined && <Used several={several} at={at} />}
          </div>
        )
      }
      about={
        <>
          {effortWords(shown.effort)}
          {!shown.enters_zone && ' · ends at the target of this finding'}
          {shown.through.length > 0 && (
            <>
              {' · passes through '}
              {shown.through.map(({ object_id, name }, index) => (
                <span key={object_id}>
                  {index > 0 && ', '}
                  <Name text={name} id={object_id} />
                </span>
              ))}
            </>
          )}
        </>
      }
    />
  );
}

function placeOf(several: FindingPathsRecord, chosen: string | undefined): number {
  if (chosen === 'shortest') return several.shortest ?? 0;
  if (chosen === 'used') return several.most_used ?? 0;
  const place = Number(chosen ?? 1) - 1;
  return Number.isInteger(place) && place >= 0 && place < several.paths.length ? place : 0;
}

const countText = ({ count, is_complete }: FindingPathsRecord): string =>
  `${is_complete ? 'All' : 'At least'} ${formatCount(count)}`;

/** Number of principals that reach the source of the finding through the shown path. */
function Used({ several, at }: { readonly several: FindingPathsRecord; readonly at: number }) {
  const { principal_count: all } = several;
  const own = several.paths[at]?.principal_count ?? null;
  if (own === null || all === null) return null;
  return (
    <span className="quiet" title="Each is counted by its easiest path to the principal of this finding">
      {formatCount(own)} of {principalsText(all)} of all environments come this way
    </span>
  );
}

/** The path from the object of a finding to its environment, for findings that need no starting group. */
function ShortPath({ row }: { readonly row: UnifiedFindingRow }) {
  const way = useWay(row);
  return (
    <Answer query={way} what="the attack path" lines={4}>
      {(found) =>
        found === null ? (
          <>
            <h2 id="attack-path">Attack path</h2>
            <p className="quiet">{NO_WAY}</p>
          </>
        ) : (
          <Drawn
            nodes={found.nodes}
            steps={found.steps}
            mark="T0"
            about="from the object of this finding to its environment"
          />
        )
      }
    </Answer>
  );
}

function Drawn({
  nodes,
  steps,
  mark,
  about,
  choice,
}: {
  readonly nodes: readonly PathObject[];
  readonly steps: readonly PathStep[];
  readonly mark: string | undefined;
  readonly about: React.ReactNode;
  readonly choice?: React.ReactNode;
}) {
  const player = usePlayer(steps.length);
  const [first, last] = [nodes[0]!, nodes.at(-1)!];
  return (
    <>
      <header className="section-head">
        <h2 id="attack-path">Attack path</h2>
        <span className="mark">{counted(steps.length, 'step')}</span>
        <span className="quiet">{about}</span>
        <span className="end">
          <PlayButton player={player} />
          <Link
            className="button"
            href={pathTo('explore', { mode: 'path', from: first.object_id, to: last.object_id })}
          >
            Open in Explore
          </Link>
        </span>
      </header>
      {choice}
      <PathStrip
        label={`Attack path of this finding, from ${cleanText(first.name)} to ${cleanText(last.name)}`}
        nodes={nodes}
        steps={steps}
        endMark={mark}
        current={player.step}
      />
      <PlayerBar player={player} nodes={nodes} steps={steps} />
    </>
  );
}
