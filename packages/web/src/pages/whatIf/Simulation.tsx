/** The answer of a simulation while it is awaited, ended, and there. */
import type { SimulationRecord } from '@clew/api';
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Answer, Empty, Waiting } from '../../parts/Answer.tsx';
import { Simulated } from './Simulated.tsx';

/** A wait that is longer can be ended. */
const CANCEL_AFTER_MS = 5000;

interface SimulationProps {
  readonly query: UseQueryResult<SimulationRecord>;
  readonly zone: number | undefined;
}

export function Simulation({ query, zone }: SimulationProps) {
  const client = useQueryClient();
  const isLong = useLongWait(query.isFetching);
  const cancel = () => void client.cancelQueries({ queryKey: ['SimulatePlan'] });
  const isEnded = !query.isFetching && query.data === undefined && query.error === null;
  if (isEnded)
    return (
      <Empty title="The simulation was ended">
        <button type="button" onClick={() => void query.refetch()}>
          Simulate again
        </button>
      </Empty>
    );
  if (isLong && query.data === undefined)
    return <Waiting what="the simulation" lines={5} onCancel={cancel} />;
  return (
    <Answer query={query} what="the simulation" lines={5}>
      {(record) => <Simulated record={record} zone={zone} />}
    </Answer>
  );
}

function useLongWait(isWaiting: boolean): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setLong(true), CANCEL_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isLong;
}
