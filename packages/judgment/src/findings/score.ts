/**
 * The posture score: one number for decision makers, with parts that each explain how to raise them.
 *
 * Rule: `docs/findings.md#score`.
 */
import { counted, numberText, principalsText } from '@clew/model';

export interface ScoreFacts {
  /** Whether an analysis has computed the exposure of the zone in any environment. */
  readonly isKnown: boolean;
  /** Principals outside the zone, and the number of them that can reach it. */
  readonly principals: number;
  readonly exposed: number;
  /** Number of types with open findings of this severity. */
  readonly criticalTypes: number;
  readonly highTypes: number;
  /** Active computers, and the number of them on which sessions and local groups were read. */
  readonly activeComputers: number;
  readonly sessionComputers: number;
  readonly groupComputers: number;
}

export interface ScorePart {
  readonly name: 'exposure' | 'findings' | 'coverage';
  /** Null if unknown. */
  readonly points: number | null;
  readonly most: number;
  /** A sentence that explains the missing points, or why the part is unknown. */
  readonly because: string;
}

export interface Score {
  /** 0..100, 100 is best: points of the known parts relative to their maximum. Null if no analysis ran. */
  readonly value: number | null;
  readonly parts: ScorePart[];
}

const EXPOSURE_POINTS = 60;
const FINDING_POINTS = 25;
const COVERAGE_POINTS = 15;
/** Cost per type, regardless of its number of findings: one cause may make thousands. */
const CRITICAL_COST = 5;
const HIGH_COST = 2;

export function scoreOf(facts: ScoreFacts): Score {
  const parts = [exposurePart(facts), findingPart(facts), coveragePart(facts)];
  const known = parts.filter(({ points }) => points !== null);
  const [points, most] = known.reduce(
    ([sum, all], part) => [sum + (part.points ?? 0), all + part.most],
    [0, 0],
  );
  return { value: facts.isKnown ? Math.round((100 * points) / most) : null, parts };
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
const rounded = (points: number): number => Math.round(points * 10) / 10;

const NOT_ANALYZED = 'unknown: the zone was not analyzed in any environment';

function exposurePart({ isKnown, principals, exposed }: ScoreFacts): ScorePart {
  const part = { name: 'exposure', most: EXPOSURE_POINTS } as const;
  if (!isKnown) return { ...part, points: null, because: NOT_ANALYZED };
  return {
    ...part,
    points: rounded(EXPOSURE_POINTS * (1 - share(exposed, principals))),
    because: `${numberText(exposed)} of ${principalsText(principals)} outside the zone can reach it`,
  };
}

function findingPart({ isKnown, criticalTypes, highTypes }: ScoreFacts): ScorePart {
  const part = { name: 'findings', most: FINDING_POINTS } as const;
  if (!isKnown) return { ...part, points: null, because: NOT_ANALYZED };
  return {
    ...part,
    points: Math.max(0, FINDING_POINTS - criticalTypes * CRITICAL_COST - highTypes * HIGH_COST),
    because: `${criticalTypes} types of critical and ${highTypes} of high findings are open`,
  };
}

function coveragePart({ activeComputers, sessionComputers, groupComputers }: ScoreFacts): ScorePart {
  const part = { name: 'coverage', most: COVERAGE_POINTS } as const;
  if (activeComputers === 0)
    return { ...part, points: null, because: 'unknown: no active computer was collected' };
  const covered = share(sessionComputers + groupComputers, 2 * activeComputers);
  return {
    ...part,
    points: rounded(COVERAGE_POINTS * covered),
    because: `sessions were read on ${numberText(sessionComputers)} and local groups on ${numberText(groupComputers)} of ${counted(activeComputers, 'active computer')}`,
  };
}
