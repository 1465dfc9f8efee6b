/**
 * Estimates when the data of an environment was collected from its newest times: in an active domain some account logged on or changed its
 * password shortly before. Ages are counted from then; otherwise a collection of two years ago would make every account unused.
 *
 * Rule: `docs/findings.md#ages`.
 */
import type { AnalysisContext, Reads, Shared } from '../analysisContext.ts';
import { environments } from './environments.ts';

const KEYS = ['lastlogontimestamp', 'lastlogon', 'pwdlastset', 'whencreated'] as const;

const READS: Reads = { nodeProperties: KEYS, shared: [environments] };

/** If the newest time is within this period, the collection counts as current. */
const RECENT_SECONDS = 30 * 86_400;

export interface CollectionTimes {
  /** @param now seconds since 1970 @returns the time from which ages of objects of the environment are counted */
  of(environment: number, now: number): number;
}

export const collectionTimes: Shared<CollectionTimes> = {
  name: 'collection times',
  reads: READS,
  build: (context) => {
    let known: { readonly now: number; readonly newest: Float64Array } | undefined;
    return {
      of: (environment, now) => {
        if (known?.now !== now) known = { now, newest: newestTimes(context, now) };
        const last = known.newest[environment] ?? 0;
        return last === 0 || now - last <= RECENT_SECONDS ? now : last;
      },
    };
  },
};

/** Newest time of each environment, 0 if unknown. Times in the future are ignored. */
function newestTimes(context: AnalysisContext, now: number): Float64Array {
  const { of, nodes } = context.use(environments);
  const newest = new Float64Array(nodes.length);
  for (const key of KEYS) {
    context.properties.nodesWith(key).forEach((node) => {
      const time = context.properties.number(key, node) ?? 0;
      if (time <= now && time > (newest[of[node]] ?? Number.POSITIVE_INFINITY)) newest[of[node]] = time;
    });
  }
  return newest;
}
