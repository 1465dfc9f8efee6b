/**
 * One number for those who decide, made of parts that each say how to raise them.
 *
 * Rule: `docs/findings.md#score`.
 */

export interface ScoreFacts {
  /** Principals outside the zone, and how many of them come to it. */
  readonly principals: number;
  readonly exposed: number;
  /** Types with open findings of this severity. */
  readonly criticalTypes: number;
  readonly highTypes: number;
  /** Active computers, and on how many of them sessions and local groups were read. */
  readonly activeComputers: number;
  readonly sessionComputers: number;
  readonly groupComputers: number;
}

export interface ScorePart {
  readonly name: 'exposure' | 'findings' | 'coverage';
  readonly points: number;
  readonly most: number;
  /** Why it is not more; a sentence. */
  readonly because: string;
}

export interface Score {
  /** 0..100; 100 is best. */
  readonly value: number;
  readonly parts: ScorePart[];
}

const EXPOSURE_POINTS = 60;
const FINDING_POINTS = 25;
const COVERAGE_POINTS = 15;
/** What each type costs, however many findings it has: one cause may make thousands. */
const CRITICAL_COST = 5;
const HIGH_COST = 2;

export function scoreOf(facts: ScoreFacts): Score {
  const parts = [exposurePart(facts), findingPart(facts), coveragePart(facts)];
  return { value: Math.round(parts.reduce((sum, { points }) => sum + points, 0)), parts };
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
const rounded = (points: number): number => Math.round(points * 10) / 10;

function exposurePart({ principals, exposed }: ScoreFacts): ScorePart {
  return {
    ...{ name: 'exposure', most: EXPOSURE_POINTS },
    points: rounded(EXPOSURE_POINTS * (1 - share(exposed, principals))),
    because: `${exposed} of ${principals} principals outside the zone come to it`,
  };
}

function findingPart({ criticalTypes, highTypes }: ScoreFacts): ScorePart {
  return {
    ...{ name: 'findings', most: FINDING_POINTS },
    points: Math.max(0, FINDING_POINTS - criticalTypes * CRITICAL_COST - highTypes * HIGH_COST),
    because: `${criticalTypes} types of critical and ${highTypes} of high findings are open`,
  };
}

function coveragePart({ activeComputers, sessionComputers, groupComputers }: ScoreFacts): ScorePart {
  // Where there are no computers, nothing of them is missing.
  const covered = activeComputers === 0 ? 1 : share(sessionComputers + groupComputers, 2 * activeComputers);
  return {
    ...{ name: 'coverage', most: COVERAGE_POINTS },
    points: rounded(COVERAGE_POINTS * covered),
    because: `sessions were read on ${sessionComputers} and local groups on ${groupComputers} of ${activeComputers} active computers`,
  };
}
