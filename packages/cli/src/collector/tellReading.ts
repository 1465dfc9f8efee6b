/** Says how a directory was read, after its data were handed over. Nothing depends on it: a refusal is a line of the log. */
import type { NewDirectoryReading } from '@clew/api';
import type { CollectorService } from './collectorService.ts';
import { reasonOf } from './failures.ts';
import type { RunLog } from './runLog.ts';
import { untilAnswered } from './untilAnswered.ts';

/** A service that is away for longer gets it with the next reading. */
const PATIENCE_MS = 10 * 60_000;

export interface TellParts {
  readonly service: CollectorService;
  readonly log: RunLog;
  readonly signal: AbortSignal;
}

/** Waits for a service that is away. @param domain SID of the domain */
export async function tellReading(
  { service, log, signal }: TellParts,
  domain: string,
  reading: NewDirectoryReading,
): Promise<void> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    await untilAnswered(log, patience, () => service.recordReading(domain, reading));
  } catch (error) {
    log.say(`how the domain was read is not shown: ${reasonOf(error)}`);
  }
}
