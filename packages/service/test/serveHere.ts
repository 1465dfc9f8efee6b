/**
 * The service with the administrator of `startServe`, in the process of the test and on a database of its server. It starts with a third of
 * the CPU time, and its code is compiled once for all files of a worker. Tests of the process, its output or its own database use `startServe`.
 */
import { startTestDatabase } from '@clew/store/testing';
import type { StartOptions } from '../src/main.ts';
import { ADMIN_PASSWORD } from './serveProcess.ts';
import { startOn } from './serviceUnderTest.ts';

export interface ServiceHere {
  readonly url: string;
  stop(): Promise<void>;
}

/** @param directory whose directory `data` receives its key and files */
export async function serveHere(
  directory: string,
  variables: Readonly<Record<string, string>> = {},
  options: Pick<StartOptions, 'makesPlans'> = {},
): Promise<ServiceHere> {
  await using opening = new AsyncDisposableStack();
  const database = opening.adopt(await startTestDatabase(), (opened) => opened.close());
  const all = { CLEW_ADMIN_PASSWORD: ADMIN_PASSWORD, ...variables };
  const service = opening.adopt(await startOn(database, directory, all, options), (started) =>
    started.stop(),
  );
  const opened = opening.move();
  return { url: service.url, stop: () => opened.disposeAsync() };
}
