/** Explains why changes do not lower the exposure, if known. */
import type { SimulationRecord } from '@clew/api';
import { ofZone } from '../fix/planFigures.ts';

/**
 * @param isOne whether one change is simulated
 * @returns a sentence about changes that cut off no user and no computer; it contains a reason only if the whole effect is known
 */
export function unchangedText(record: SimulationRecord, zone: number, isOne: boolean): string {
  const before = ofZone(record.before, zone);
  const after = new Map(ofZone(record.after, zone).map((one) => [one.environment_id, one.exposed_count]));
  if (before.every(({ exposed_count }) => exposed_count === 0))
    return 'No one could reach it before, either.';
  const isKnown =
    record.not_shown.length === 0 &&
    record.not_computed.length === 0 &&
    before.every(({ environment_id, exposed_count }) => after.get(environment_id) === exposed_count);
  if (isKnown)
    return `The ${isOne ? 'change cuts' : 'changes cut'} off no principal, because each has another path.`;
  const by = isOne ? 'the change; its' : 'the changes; their';
  return `No principal is known to be cut off by ${by} effect is only partly known.`;
}
