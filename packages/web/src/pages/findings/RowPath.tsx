/** The attack path of a row in a list of findings or changes, loaded once the row stays selected. */
import type { UnifiedFindingRow } from '@clew/api';
import { effortWords } from '@clew/model';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { pathTo } from '../../address.ts';
import { Answer } from '../../parts/Answer.tsx';
import { PathSkeleton } from '../../parts/PathSkeleton.tsx';
import { type PathObject, type PathStep, PathStrip } from '../../parts/PathStrip.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';
import { markOf, NO_WAY, stepsOf, useWay } from './finding.ts';

export const None = ({ children }: { readonly children: ReactNode }) => (
  <p className="quiet" role="status">
    {children}
  </p>
);

/** Milliseconds between the selection of a row and the request for its path, because keys move quickly over rows. */
const SETTLE_MS = 150;

function useIsSettled(): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const clock = setTimeout(() => setSettled(true), SETTLE_MS);
    return () => clearTimeout(clock);
  }, []);
  return isSettled;
}

export function OpenPath({ row }: { readonly row: UnifiedFindingRow }) {
  const isSettled = useIsSettled();
  const query = useAnswer('GetFindingEvidence', { params: { finding_id: row.id } }, { enabled: isSettled });
  return (
    <Answer query={query} what="the attack path" shape={<PathSkeleton />}>
      {({ data: { attack_path: path } }) =>
        path === null ? (
          <FromObject row={row} />
        ) : (
          <Strip
            nodes={path.nodes}
            steps={stepsOf(path)}
            mark={path.enters_zone ? markOf(row) : undefined}
            about={effortWords(path.effort)}
          />
        )
      }
    </Answer>
  );
}

/** The path from the object of a finding to its environment, for findings that need no starting group. */
function FromObject({ row }: { readonly row: UnifiedFindingRow }) {
  const way = useWay(row);
  return (
    <Answer query={way} what="the attack path" shape={<PathSkeleton />}>
      {(found) =>
        found === null ? (
          <None>{NO_WAY}</None>
        ) : (
          <Strip
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

interface StripProps {
  readonly nodes: readonly PathObject[];
  readonly steps: readonly PathStep[];
  readonly mark: string | undefined;
  readonly about: string;
  /** Whether it no longer exists, so that Explore cannot find it. */
  readonly isGone?: boolean;
  readonly children?: ReactNode;
}

export function Strip({ nodes, steps, mark, about, isGone = false, children }: StripProps) {
  const [first, last] = [nodes[0]!, nodes.at(-1)!];
  return (
    <>
      <div className="inset-head">
        <p>{isGone ? about : `${counted(steps.length, 'step')}, ${about}`}</p>
        {children}
        {!isGone && (
          <Link href={pathTo('explore', { mode: 'path', from: first.object_id, to: last.object_id })}>
            Open in Explore
          </Link>
        )}
      </div>
      <PathStrip
        label={`Attack path of the selected row, from ${cleanText(first.name)} to ${cleanText(last.name)}`}
        nodes={nodes}
        steps={steps}
        endMark={mark}
      />
    </>
  );
}
