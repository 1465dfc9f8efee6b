/** The attack paths that a card cuts, one per environment, with the cut marked, and the remaining path of each. */
import type { CardPathRecord } from '@clew/api';
import { effortWords } from '@clew/model';
import { useState } from 'react';
import { Link } from 'wouter';
import { pathTo } from '../../address.ts';
import { Name } from '../../parts/Name.tsx';
import { type PathStep, PathStrip } from '../../parts/PathStrip.tsx';
import { Segments } from '../../parts/Segments.tsx';
import { Stepper } from '../../parts/Stepper.tsx';
import { cleanText } from '../../text/cleanText.ts';

interface CardPathsProps {
  readonly paths: readonly CardPathRecord[];
  /** Mark of the zone at the path's end. */
  readonly mark: string;
}

export function CardPaths({ paths, mark }: CardPathsProps) {
  const [at, setAt] = useState(0);
  const [isAfter, setAfter] = useState(false);
  const path = paths[Math.min(at, paths.length - 1)];
  if (path === undefined) return null;
  const shown = isAfter ? path.after : path.before;
  const steps: PathStep[] = (shown?.steps ?? []).map((step, number) => {
    const isCut = !isAfter && number === path.cut;
    return { ...step, isCut };
  });
  const names = shown?.nodes.map(({ name }) => cleanText(name)) ?? [];
  return (
    <div className="inset">
      <div className="inset-head">
        <p>
          {isAfter ? 'Easiest path that remains' : 'Easiest path that it cuts'} in{' '}
          <Name text={path.environment_name} id={path.environment_id} />
          {shown !== null && `, ${effortWords(shown.effort)}`}
          {!isAfter && path.through.length > 0 && `, through ${path.through.map(cleanText).join(', ')}`}
        </p>
        <Segments
          label="Before or after the cut"
          choices={[
            [false, 'Before'],
            [true, 'After'],
          ]}
          chosen={isAfter}
          onChoose={setAfter}
        />
        <Stepper
          at={at}
          count={paths.length}
          onStep={setAt}
          previous="Path of the environment before"
          next="Path of the next environment"
        />
        {shown !== null && (
          <Link
            href={pathTo('explore', {
              mode: 'path',
              from: shown.nodes[0]?.object_id,
              to: shown.nodes.at(-1)?.object_id,
            })}
          >
            Open in Explore
          </Link>
        )}
      </div>
      {shown === null ? (
        <p className="ok">No path remains.</p>
      ) : (
        <PathStrip
          label={`Attack path from ${names[0]} to ${names.at(-1)}${isAfter ? '' : `, cut at step ${path.cut + 1}`}`}
          nodes={shown.nodes}
          steps={steps}
          endMark={mark}
        />
      )}
    </div>
  );
}
