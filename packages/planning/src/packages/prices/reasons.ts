/**
 * The reasons for the cost of a change. A price is work plus damage, both in steps; the damage follows from the reason alone, and the
 * reason from the facts.
 *
 * Rule: `docs/plan.md#prices`.
 */

/** The numbers behind a reason; which ones are present depends on the reason. */
export interface PriceFacts {
  /** Number of direct and indirect members (users and computers) of the group that loses access; capped at `MAX_COUNTED`. */
  readonly principals?: number;
  /**
   * Computers whose group Administrators contains it: all, those in the container (a unit or another one) of this computer, all computers of
   * that container whose group was read, and all its computers.
   */
  readonly hosts?: number;
  readonly here?: number;
  readonly unit?: number;
  readonly computers?: number;
  /** The container of this computer; undefined if it was not collected. */
  readonly container?: number;
  /** Sessions seen on the computer. */
  readonly sessions?: number;
  /**
   * Number of objects of the kind on which the holder directly has the same right, and number of all objects of the kind in the
   * environment.
   */
  readonly same?: number;
  readonly all?: number;
}

interface ReasonRow {
  /** Steps of damage. */
  readonly breaks: number;
  /**
   * A careful administrator keeps this access: the change is never on the first card if another change helps, and never in a package of
   * several.
   */
  readonly isKept: boolean;
}

/**
 * One row per reason. Measured on 36 generated organizations against the planted faults (`npm run prove -- --planted`): with these values
 * 99.9 % of the changes on cards undo a planted fault, with half or twice the values 99.8 %, and without names of groups 99.1 %.
 */
export const PRICE_REASONS = {
  /** Only the work is known, or an operator has set the price of the kind. */
  work: { breaks: 0, isKept: false },
  /** A user answered that no one needs the access. */
  answered: { breaks: 0, isKept: false },
  /** Nearly all users, or ordinary accounts, are administrators; a broad group has a right. */
  intruder: { breaks: 0, isKept: false },
  /** It can reach the zone from outside. */
  'against-tier': { breaks: 0, isKept: false },
  /** The holder is disabled or deleted. */
  left: { breaks: 0, isKept: false },
  /** The template is dangerous because of its own settings. */
  'dangerous-setting': { breaks: 0, isKept: false },
  /** Unlike its neighbors: another domain, kind or place, few computers, or single objects. */
  exception: { breaks: 0.5, isKept: false },
  /** Whether clients depend on the changed setting was not collected. */
  clients: { breaks: 0.5, isKept: false },
  /** Violates the tier with an entry that the holder has on many objects of the kind. */
  shared: { breaks: 2, isKept: false },
  /** A corrected copy must be created first. */
  replace: { breaks: 2, isKept: false },
  /** An inherited entry that affects no member of the zone. */
  delegation: { breaks: 5, isKept: true },
  /** A disabled account in an ordinary group: the problem is the principals that control it, and the rights of the group. */
  'left-behind': { breaks: 6, isKept: true },
  /** A service or an administrator uses it as intended. */
  'in-use': { breaks: 6, isKept: true },
  /** Like its neighbors: administrators on their computers, in their group, on objects of a kind. */
  design: { breaks: 6, isKept: true },
  /** A default of Microsoft. */
  default: { breaks: 6, isKept: true },
  /** Users are in a group for their work; the problem is the rights of the group. */
  membership: { breaks: 10, isKept: true },
  /** Many users work there. */
  crowd: { breaks: 10, isKept: true },
  /** All its users lose access. */
  outage: { breaks: 12, isKept: true },
  /** The authority issues no more certificates, not even to domain controllers. */
  authority: { breaks: 12, isKept: true },
} as const satisfies Readonly<Record<string, ReasonRow>>;

export type PriceReason = keyof typeof PRICE_REASONS;

export interface Price {
  /** Steps of effort. */
  readonly work: number;
  /** Steps of damage. */
  readonly breaks: number;
  readonly reason: PriceReason;
  readonly facts?: PriceFacts;
}

export const isKept = ({ reason }: Pick<Price, 'reason'>): boolean => PRICE_REASONS[reason].isKept;

/** A reason with its numbers, without the work. */
export interface Damage {
  readonly reason: PriceReason;
  readonly facts?: PriceFacts;
}

export const damage = (reason: PriceReason, facts?: PriceFacts): Damage => ({
  reason,
  ...(facts !== undefined && { facts }),
});

/** Prices with other constants, to measure their effect (`npm run prove -- --planted --breaks 0.5`). */
export interface OtherPrices {
  /**
   * Factor for the damage of each reason; default: 1. With 0, kept changes are treated as ordinary ones, and cost only their
   * work.
   */
  readonly breaks?: number;
  /** Whether names of groups indicate their purpose; default: true. */
  readonly readsNames?: boolean;
}

export function priceOf(work: number, damage: Damage, { breaks: times = 1 }: OtherPrices = {}): Price {
  const { breaks, isKept: isOfKept } = PRICE_REASONS[damage.reason];
  const { reason, facts } = times === 0 && isOfKept ? { ...damage, reason: 'work' as const } : damage;
  return { ...{ work, breaks: breaks * times, reason }, ...(facts !== undefined && { facts }) };
}
