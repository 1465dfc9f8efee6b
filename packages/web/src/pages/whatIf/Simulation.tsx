/** The answer of a simulation: in progress, canceled, or complete. */
import type { SimulationRequest } from '@clew/api';
import { Answer, Empty, Waiting } from '../../parts/Answer.tsx';
import { isEnded } from './isEnded.ts';
import { Simulated } from './Simulated.tsx';
import { useCancel, useSimulation } from './simulation.ts';

/** A longer wait can be canceled. */
const CANCEL_AFTER_SECONDS = 5;
const LINES = 5;

/** @param props.request the effect of the previous changes stays, dimmed, during the next simulation */
export function Simulation({ request }: { readonly request: SimulationRequest }) {
  const query = useSimulation(request);
  const cancel = useCancel(request);
  if (isEnded(query))
    return (
      <Empty title="The simulation was canceled">
        <button type="button" onClick={() => void query.refetch()}>
          Simulate again
        </button>
      </Empty>
    );
  const isAwaited = query.fetchStatus !== 'idle' && (query.data === undefined || query.isPlaceholderData);
  return (
    <>
      {isAwaited && (
        <Waiting
          key={JSON.stringify(request)}
          what="the simulation"
          lines={query.data === undefined ? LINES : 0}
          onCancel={cancel}
          cancelAfter={CANCEL_AFTER_SECONDS}
        />
      )}
      <div aria-live="polite">
        {!(isAwaited && query.data === undefined) && (
          <Answer query={query} what="the simulation" lines={LINES}>
            {(record) => <Simulated record={record} request={request} />}
          </Answer>
        )}
      </div>
    </>
  );
}
