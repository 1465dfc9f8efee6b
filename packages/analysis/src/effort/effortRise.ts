/**
 * Divides a rise of the typical effort by its causes: relations that a repair removed are progress, sessions that were not seen again are
 * not.
 *
 * Rule: `docs/rules.md#attack-effort`.
 */
import type { EdgeRef } from '../edgeRef.ts';
import { type AnalyzedWorld, changedWorld } from '../plan/simulate.ts';
import type { EnvironmentEfforts } from '../plan/zoneEfforts.ts';

/** The typical effort of an environment; `undefined` means that there is no path. */
export type TypicalEffort = number | undefined;

export interface EffortRise {
  readonly before: TypicalEffort;
  readonly after: TypicalEffort;
  /** The typical effort with the sessions that were not seen again: the part of the rise that repairs alone caused. */
  readonly withoutSessions: TypicalEffort;
  /** Whether repairs raised it. */
  readonly isProgress: boolean;
  /** Whether it is higher than through repairs alone. */
  readonly restsOnSessions: boolean;
}

/**
 * @param before as it was
 * @param after as it is
 * @param withSessions as it is with the sessions back that were not seen again (`withSessions`)
 */
export function effortRise(
  before: TypicalEffort,
  after: TypicalEffort,
  withSessions: TypicalEffort,
): EffortRise {
  const [from, to, repaired] = [before, after, withSessions].map((each) => each ?? Number.POSITIVE_INFINITY);
  return {
    before,
    after,
    withoutSessions: withSessions,
    isProgress: repaired > from,
    restsOnSessions: to > repaired,
  };
}

/** The same of each environment that all three have. */
export function effortRises(
  before: readonly EnvironmentEfforts[],
  after: readonly EnvironmentEfforts[],
  withSessions: readonly EnvironmentEfforts[],
): readonly (EffortRise & { readonly environment: number })[] {
  return before.flatMap(({ environment, typical }) => {
    const [now, back] = [after, withSessions].map((some) =>
      some.find((one) => one.environment === environment),
    );
    if (now === undefined || back === undefined) return [];
    return [{ environment, ...effortRise(typical, now.typical, back.typical) }];
  });
}

/** @returns the world with these sessions back @throws CanceledError */
export function withSessions(after: AnalyzedWorld, sessions: readonly EdgeRef[]): AnalyzedWorld {
  return sessions.length === 0
    ? after
    : changedWorld(after, { added: sessions.map((session) => ({ flags: 0, ...session })) });
}

/** @param sessions that were not seen again @returns words for the page */
export function riseText(
  { before, after, withoutSessions, isProgress, restsOnSessions }: EffortRise,
  sessions: number,
): string {
  const name = (effort: TypicalEffort): string => (effort === undefined ? 'no path' : String(effort));
  const unseen = sessions === 1 ? '1 session was not seen again' : `${sessions} sessions were not seen again`;
  if (!isProgress && !restsOnSessions)
    return after === before ? `Unchanged at ${name(after)}` : `Fell from ${name(before)} to ${name(after)}`;
  if (!isProgress) return `Rose from ${name(before)} to ${name(after)}: ${unseen}`;
  const rise = `Rose from ${name(before)} to ${name(withoutSessions)} through repairs`;
  return restsOnSessions ? `${rise}; stands at ${name(after)} because ${unseen}` : rise;
}
