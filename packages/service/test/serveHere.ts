/**
 * The service with the administrator of `startServe`, in the process of the test and on a database of its server. It starts with a third of
 * the CPU time, and its code is compiled once for all files of a worker. Tests of the process, its output or its own database use `startServe`.
 */
import { join } from 'node:path';
import { startTestDatabase } from '@clew/store/testing';
import type { RunningService, StartOptions } from '../src/main.ts';
import { ADMIN_PASSWORD } from './serveProcess.ts';
import { startOn } from './serviceUnderTest.ts';
import { databaseVariables } from './startTested.ts';

export interface ServiceHere {
  readonly url: string;
  /** Variables of commands on its machine. */
  readonly machine: Readonly<Record<string, string>>;
  /** Ends the service, but keeps its database and files. */
  pause(): Promise<void>;
  /** Starts it again after `pause`, at the same address. */
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** @param directory whose directory `data` receives its key and files */
export async function serveHere(
  directory: string,
  variables: Readonly<Record<string, string>> = {},
  options: Pick<StartOptions, 'makesPlans' | 'webDirectory'> = {},
): Promise<ServiceHere> {
  await using opening = new AsyncDisposableStack();
  const database = opening.adopt(await startTestDatabase(), (opened) => opened.close());
  const all = { CLEW_ADMIN_PASSWORD: ADMIN_PASSWORD, ...variables };
  let service: RunningService | undefined = await startOn(database, directory, all, options);
  const { url } = service;
  const pause = async (): Promise<void> => {
    await service?.stop();
    service = undefined;
  };
  opening.defer(pause);
  const opened = opening.move();
  return {
    url,
    machine: { CLEW_DATA_DIR: join(directory, 'data'), ...databaseVariables(database) },
    pause,
    async resume() {
      service = await startOn(database, directory, { ...all, CLEW_PORT: new URL(url).port }, options);
    },
    stop: () => opened.disposeAsync(),
  };
}
