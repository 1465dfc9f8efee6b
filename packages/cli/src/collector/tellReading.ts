/** Reports how a directory was read, after its data was uploaded. Nothing depends on it: a refusal is only logged. */
import type { NewDirectoryReading } from '@clew/api';
import type { CollectorService } from './collectorService.ts';
import { reasonOf } from './failures.ts';
import type { LogWriter } from './runLog.ts';
import { untilAnswered } from './untilAnswered.ts';

/** If the service is unavailable longer, it receives this with the next reading. */
const PATIENCE_MS = 10 * 60_000;

export interface TellParts {
  readonly service: CollectorService;
  readonly log: LogWriter;
  readonly signal: AbortSignal;
}

/** Waits for an unavailable service. @param domain SID of the domain */
export async function tellReading(
  { service, log, signal }: TellParts,
  domain: string,
  reading: NewDirectoryReading,
): Promise<void> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    await untilAnswered(log, patience, () => service.recordReading(domain, reading));
  } catch (error) {
    log.say(`reading statistics are not shown: ${reasonOf(error)}`);
  }
}
