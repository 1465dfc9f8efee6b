/**
 * Why a change costs what it does. A price is work and damage, both in steps; the damage follows from the reason alone, and the reason from
 * the facts.
 *
 * Rule: `docs/plan.md#prices`.
 */

/** Numbers that a reason rests on; which ones depends on the reason. */
export interface PriceFacts {
  /** Users and computers in the group that loses something, at any depth; `MAX_COUNTED` means that many or more. */
  readonly principals?: number;
  /** Computers whose Administrators contain it; those in the unit of this one, and all of that unit whose group was read. */
  readonly hosts?: number;
  readonly here?: number;
  readonly unit?: number;
  /** Sessions seen on the computer. */
  readonly sessions?: number;
  /** Objects of the kind on which the holder has the same right itself, and all objects of the kind in the environment. */
  readonly same?: number;
  readonly all?: number;
}

interface ReasonRow {
  /** Steps of damage. */
  readonly breaks: number;
  /** A careful administrator keeps things as they are: never on the first card where another change helps, never in a package of several. */
  readonly isKept: boolean;
}

/**
 * One row for each reason. Measured on 36 generated organizations against what was planted in them (`npm run prove -- --planted`): with these
 * values 99.9 % of the changes on cards undo something planted, with half and with twice of each 99.8 %, and without names of groups 99.1 %.
 */
export const PRICE_REASONS = {
  /** Nothing more is known of it, or operators have set the price of its kind. */
  work: { breaks: 0, isKept: false },
  /** Someone answered that no one needs it. */
  answered: { breaks: 0, isKept: false },
  /** Nearly everyone, or ordinary accounts, among administrators; a right of a broad group. */
  intruder: { breaks: 0, isKept: false },
  /** It reaches into the zone from outside. */
  'against-tier': { breaks: 0, isKept: false },
  /** The holder is disabled or deleted. */
  left: { breaks: 0, isKept: false },
  /** The template is dangerous by its own settings. */
  'dangerous-setting': { breaks: 0, isKept: false },
  /** Unlike its neighbors: another domain, kind or place, few computers, single objects. */
  exception: { breaks: 0.5, isKept: false },
  /** Against the tier, by an entry that the holder has on many objects of the kind. */
  shared: { breaks: 2, isKept: false },
  /** A copy without the fault has to be made first. */
  replace: { breaks: 2, isKept: false },
  /** An entry that a container passes on, and that reaches no member of the zone. */
  delegation: { breaks: 5, isKept: true },
  /** A disabled account in an ordinary group: the fault is with those who control it, and with the rights of the group. */
  'left-behind': { breaks: 6, isKept: true },
  /** A service or an administrator works with it where it belongs. */
  'in-use': { breaks: 6, isKept: true },
  /** Like its neighbors: administrators on their computers, in their group, on objects of a kind. */
  design: { breaks: 6, isKept: true },
  /** Microsoft ships it so. */
  default: { breaks: 6, isKept: true },
  /** People are in a group for their work; the fault is in the rights of the group. */
  membership: { breaks: 10, isKept: true },
  /** Many people work there. */
  crowd: { breaks: 10, isKept: true },
  /** All who use it are cut off. */
  outage: { breaks: 12, isKept: true },
  /** No one gets a certificate of the authority any more, domain controllers included. */
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

/** A reason with its numbers, before the work is known. */
export interface Damage {
  readonly reason: PriceReason;
  readonly facts?: PriceFacts;
}

export const damage = (reason: PriceReason, facts?: PriceFacts): Damage => ({
  reason,
  ...(facts !== undefined && { facts }),
});

/** Prices with other constants, to measure what these do (`npm run prove -- --planted --breaks 0.5`). */
export interface OtherPrices {
  /** Multiple of what each reason breaks; 0: kept changes are like all others, and cost their work. Default 1. */
  readonly breaks?: number;
  /** Whether names of groups are signs of what they are for. Default true. */
  readonly readsNames?: boolean;
}

export function priceOf(work: number, damage: Damage, { breaks: times = 1 }: OtherPrices = {}): Price {
  const { breaks, isKept: isOfKept } = PRICE_REASONS[damage.reason];
  const { reason, facts } = times === 0 && isOfKept ? { ...damage, reason: 'work' as const } : damage;
  return { ...{ work, breaks: breaks * times, reason }, ...(facts !== undefined && { facts }) };
}
