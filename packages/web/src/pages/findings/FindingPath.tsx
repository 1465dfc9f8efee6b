/** The attack path of a finding, from the largest group that can use it into the zone. */
import type { EvidenceRecord, UnifiedFindingRow } from '@clew/api';
import { Link } from 'wouter';
import { pathTo } from '../../address.ts';
import { Answer } from '../../parts/Answer.tsx';
import { Name } from '../../parts/Name.tsx';
import { PlayButton, PlayerBar, usePlayer } from '../../parts/PathPlayer.tsx';
import { type PathObject, type PathStep, PathStrip } from '../../parts/PathStrip.tsx';
import { cleanText } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';
import { useWay } from './finding.ts';

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

const markOf = (row: UnifiedFindingRow): string => (row.asset_group_tag_id > 1 ? 'Zone' : 'T0');

function WholePath({
  row,
  path,
}: {
  row: UnifiedFindingRow;
  path: NonNullable<EvidenceRecord['attack_path']>;
}) {
  const steps = path.relations.map((kind, at): PathStep => {
    const isOwn = at === path.finding_step;
    return { kind, effort: path.efforts[at], isCut: isOwn, ...(isOwn && { note: 'this finding' }) };
  });
  return (
    <Drawn
      nodes={path.nodes}
      steps={steps}
      mark={path.enters_zone ? markOf(row) : undefined}
      about={
        <>
          attack effort {path.effort}
          {!path.enters_zone && ' · ends at the target of this finding'}
          {path.through.length > 0 && (
            <>
              {' · runs through '}
              {path.through.map(({ object_id, name }, at) => (
                <span key={object_id}>
                  {at > 0 && ', '}
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

/** Findings that no group has to reach first: from the object on to its environment. */
function ShortPath({ row }: { readonly row: UnifiedFindingRow }) {
  const way = useWay(row);
  return (
    <Answer query={way} what="the attack path" lines={4}>
      {(found) =>
        found === null ? (
          <>
            <h2 id="attack-path">Attack path</h2>
            <p className="quiet">
              No attack path starts at this object itself. It weakens what depends on it; findings about
              relationships show the paths that this allows.
            </p>
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
}: {
  readonly nodes: readonly PathObject[];
  readonly steps: readonly PathStep[];
  readonly mark: string | undefined;
  readonly about: React.ReactNode;
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
