/** Holds the ingest of a running service: it waits when it changes nodes, and others can still read them. */
import { connectionToRunning } from '@clew/embedded';
import pg from 'pg';

/**
 * @param data directory of the service
 * @param until the ingest continues when this is disposed of
 * @returns the connection that holds the ingest
 */
export async function holdIngest(data: string, until: AsyncDisposableStack): Promise<pg.Client> {
  const holding = until.adopt(new pg.Client(await connectionToRunning(data)), (one) => one.end());
  await holding.connect();
  await holding.query('begin');
  await holding.query('lock table node in share mode');
  return holding;
}
