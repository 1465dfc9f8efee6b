/** The possible faults, their order, and the required ones. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Receiver } from '../harness/receiver.ts';
import type { FaultyProxy } from './faultyProxy.ts';
import type { Installation } from './installation.ts';
import type { ConnectorRuns } from './workload.ts';

const HOUR_MS = 3_600_000;

/** Threads of the service, by their work. */
const THREADS: ReadonlyMap<string, string> = new Map([
  ['ingest and analysis', 'clew-worker'],
  ['plans', 'clew-plan'],
  ['short queries', 'clew-cypher-cheap'],
]);

/** Each returns whether the fault could be caused. */
export type Faults = Readonly<Record<string, () => Promise<boolean> | boolean>>;

/** Every name once in each round, in random order. */
export function* rounds(names: readonly string[], random: () => number): Generator<string, never> {
  for (;;) {
    const left = [...names];
    while (left.length > 0) yield left.splice(Math.floor(random() * left.length), 1)[0] as string;
  }
}

export interface Brought {
  /** Names of all possible faults. */
  readonly names: readonly string[];
  /** Number of occurrences of each fault. */
  readonly brought: Readonly<Record<string, number>>;
  /** Number of starts of each process. */
  readonly starts: Readonly<Record<string, number>>;
}

/** @returns kills, clock jumps and thread deaths that never occurred, and processes that were not restarted after each kill */
export function missingKills({ names, brought, starts }: Brought): string[] {
  const isProof = (name: string): boolean => / (?:killed|ahead|back|dies)$/.test(name);
  const never = names.filter((name) => isProof(name) && (brought[name] ?? 0) === 0);
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
    // Swallowed bytes cannot be restored.
    proxy.cut();
    return true;
  };
  const receiverIs = (mode: Receiver['mode'], milliseconds: number): boolean => {
    receiver.mode = mode;
    // At the same time as other faults.
    setTimeout(() => {
      receiver.mode = 'well';
    }, milliseconds).unref();
    return true;
  };
  const processes = installation.processes.flatMap((one): [string, () => boolean][] => [
    [`${one.name} killed`, () => one.kill('SIGKILL')],
    [`${one.name} ended`, () => one.kill('SIGTERM')],
  ]);
  const { processes: running } = installation;
  /** Longer than every deadline and pause of the service. */
  const clockIs = async (hours: number): Promise<boolean> => {
    const jumped = running.filter((one) => one.command({ clockMs: hours * HOUR_MS }));
    await sleep(5_000);
    for (const one of running) one.command({ clockMs: 0 });
    return jumped.length > 0;
  };
  /** Some processes never have the thread, and none has it permanently. */
  const dies = async (thread: string): Promise<boolean> => {
    const deaths = (): number => running.reduce((all, one) => all + (one.endedThreads.get(thread) ?? 0), 0);
    const before = deaths();
    for (let tries = 0; tries < 10 && deaths() === before; tries++) {
      for (const one of running) one.command({ thread });
      await sleep(300);
    }
    return deaths() > before;
  };
  return {
    ...Object.fromEntries(
      [...THREADS].map(([what, thread]) => [`the thread of ${what} dies`, () => dies(thread)]),
    ),
    'clocks jump ahead': () => clockIs(3),
    'clocks jump back': () => clockIs(-3),
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
