/** The three steps before the first repair, reading, analyzing and planning, with their times and counts, and finally the exposure. */

import type { ComputingRecord } from '@clew/api';
import { principalsText } from '@clew/model';
import { useEffect, useState } from 'react';
import { Name } from '../../parts/Name.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatCount, isTime } from '../../text/formats.ts';
import { useUploads } from '../data/upload.ts';
import { TIER_ZERO } from './planFigures.ts';

const LOOK_EVERY_MS = 1000;
const STEPS = ['Reading', 'Analyzing', 'Planning'] as const;
type Step = (typeof STEPS)[number];

interface FirstResultsProps {
  /** The plan being computed, once the analysis is complete. */
  readonly planning?: ComputingRecord;
}

export function FirstResults({ planning }: FirstResultsProps) {
  const status = useAnswer('GetDatapipeStatus', {}, { every: LOOK_EVERY_MS }).data?.data;
  const job = useUploads()[0]?.job;
  const current: Step =
    planning !== undefined ? 'Planning' : status?.status === 'analyzing' ? 'Analyzing' : 'Reading';
  const begun: Readonly<Record<Step, string | null | undefined>> = {
    Reading: job?.start_time,
    Analyzing: status?.updated_at,
    Planning: planning?.started_at,
  };
  return (
    <section className="card first-results" aria-labelledby="first-results">
      <h2 id="first-results">Your first results</h2>
      <p className="unseen" role="status">
        Step {STEPS.indexOf(current) + 1} of {STEPS.length}: {current}
      </p>
      <ol className="plain-list">
        {STEPS.map((step, at) => {
          const isDone = at < STEPS.indexOf(current);
          return (
            <li key={step} aria-current={step === current ? 'step' : undefined}>
              <span aria-hidden="true">{isDone ? '✓' : step === current ? '●' : '○'}</span>{' '}
              <strong>{step}</strong>
              {isDone && <span className="unseen"> is done</span>}
              {step === current && (
                <>
                  {' '}
                  <Seconds since={begun[step]} />
                </>
              )}{' '}
              {step === 'Reading' && job !== undefined && <FilesRead job={job.id} isReading={!isDone} />}
              {step === 'Planning' && planning !== undefined && <span>{cardsText(planning)}</span>}
            </li>
          );
        })}
      </ol>
      {planning !== undefined && <Exposures />}
      <p className="quiet">
        {planning !== undefined && planning.fault !== null
          ? 'The plan will be retried: its first repair will then appear here.'
          : 'The first repair will appear here automatically, with the path that it cuts.'}
        {planning !== undefined && ' The findings are already available.'}
      </p>
    </section>
  );
}

/** Time since a timestamp of the service; empty before the start. */
function Seconds({ since }: { readonly since: string | null | undefined }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const clock = setInterval(() => setNow(Date.now()), LOOK_EVERY_MS);
    return () => clearInterval(clock);
  }, []);
  if (since == null || !isTime(since)) return null;
  return <span>{formatCount(Math.max(0, Math.round((now - Date.parse(since)) / 1000)))} s</span>;
}

function FilesRead({ job, isReading }: { readonly job: number; readonly isReading: boolean }) {
  const tasks = useAnswer(
    'GetCompletedTasks',
    { params: { file_upload_job_id: job } },
    { every: isReading ? LOOK_EVERY_MS : undefined, keep: true },
  );
  const read = tasks.data?.data.length ?? 0;
  return read === 0 ? null : <span>{counted(read, 'file')} read</span>;
}

function cardsText({ started_at, card_count, exposed_count, fault }: ComputingRecord): string {
  if (fault !== null) return `${cleanText(fault)}.`;
  if (started_at === null) return 'It will start shortly.';
  const left = exposed_count === null ? '' : `, ${principalsText(exposed_count)} still exposed after them`;
  return `${counted(card_count, 'card')} so far${left}`;
}

/** The exposure is available before the repairs. */
function Exposures() {
  const environments = useAnswer('GetAvailableDomains').data?.data ?? [];
  const known = environments.flatMap(({ id, name, exposures }) => {
    const own = exposures?.find(({ asset_group_tag }) => asset_group_tag.id === TIER_ZERO);
    return own === undefined ? [] : [{ id, name, percent: own.exposure_percent }];
  });
  if (known.length === 0) return null;
  return (
    <>
      <h3>Users and computers that can reach Tier Zero</h3>
      <ul className="plain-list">
        {known.map(({ id, name, percent }) => (
          <li key={id}>
            <Name text={name} id={id} />: <strong>{percent}%</strong>
          </li>
        ))}
      </ul>
    </>
  );
}
