/** The faults that are caused, their order, and the required ones. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultyProxy } from './faultyProxy.ts';
import type { Installation } from './installation.ts';
import type { Receiver } from './receiver.ts';
import type { ConnectorRuns } from './workload.ts';

/** Each says whether there was something to bring it over. */
export type Faults = Readonly<Record<string, () => Promise<boolean> | boolean>>;

/** Every name once in each round, in an order of its own. */
export function* rounds(names: readonly string[], random: () => number): Generator<string, never> {
  for (;;) {
    const left = [...names];
    while (left.length > 0) yield left.splice(Math.floor(random() * left.length), 1)[0] as string;
  }
}

export interface Brought {
  /** Names of all possible faults. */
  readonly names: readonly string[];
  /** How often each was brought about. */
  readonly brought: Readonly<Record<string, number>>;
  /** How often each process was started. */
  readonly starts: Readonly<Record<string, number>>;
}

/** @returns kills that never happened, and processes that were not started again after each of them */
export function missingKills({ names, brought, starts }: Brought): string[] {
  const never = names.filter((name) => name.endsWith(' killed') && (brought[name] ?? 0) === 0);
  const notAgain = Object.entries(starts).filter(
    ([process, count]) => count < 1 + (brought[`${process} killed`] ?? 0),
  );
  return [
    ...never.map((name) => `nothing is shown of this: ${name}`),
    ...notAgain.map(([process]) => `${process} was not started again after each kill`),
  ];
}

interface Parts {
  readonly proxy: FaultyProxy;
  readonly receiver: Receiver;
  readonly installation: Installation;
  readonly connector: ConnectorRuns;
  readonly random: () => number;
}

export function faultsToBring({ proxy, receiver, installation, connector, random }: Parts): Faults {
  const proxyIs = async (mode: FaultyProxy['mode'], milliseconds: number): Promise<boolean> => {
    proxy.mode = mode;
    if (mode === 'refusing') proxy.cut();
    await sleep(milliseconds);
    proxy.mode = 'open';
    // Swallowed bytes cannot be returned.
    proxy.cut();
    return true;
  };
  const receiverIs = (mode: Receiver['mode'], milliseconds: number): boolean => {
    receiver.mode = mode;
    // In addition to the other faults.
    setTimeout(() => {
      receiver.mode = 'well';
    }, milliseconds).unref();
    return true;
  };
  const processes = installation.processes.flatMap((one): [string, () => boolean][] => [
    [`${one.name} killed`, () => one.kill('SIGKILL')],
    [`${one.name} ended`, () => one.kill('SIGTERM')],
  ]);
  return {
    'connections cut': () => {
      proxy.cut();
      return true;
    },
    'connections refused': () => proxyIs('refusing', 3_000),
    'connections stalled': () => proxyIs('stalled', 4_000),
    ...Object.fromEntries(processes),
    'PostgreSQL killed': () => installation.killDatabase('all', random),
    'a process of PostgreSQL killed': () => installation.killDatabase('one', random),
    'connector killed': () => connector.kill(),
    'receiver fails': () => receiverIs('failing', 15_000),
    'receiver is silent': () => receiverIs('silent', 15_000),
    'receiver resets': () => receiverIs('resetting', 15_000),
  };
}
