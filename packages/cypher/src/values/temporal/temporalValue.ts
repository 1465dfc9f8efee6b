import { Special, type Value } from '../values.ts';

/** A date, a time or a duration. */
export abstract class TemporalValue extends Special {
  /** Rank among the temporal types in ORDER BY. */
  abstract readonly rank: number;
  /** Equal for equal values of the same type. */
  abstract readonly key: string;
  abstract override toString(): string;
  /** @returns `undefined` for an unknown component */
  abstract component(name: string): Value | undefined;
  /** Compares like `<`. @returns null for another type */
  abstract compare(other: TemporalValue): number | null;
  /** Compares like ORDER BY, for values of the same type. */
  abstract order(other: TemporalValue): number;
  /** Parses a text as this type. @returns `undefined` if it is invalid */
  abstract parseLike(text: string): TemporalValue | undefined;

  equals(other: TemporalValue): boolean {
    return this.rank === other.rank && this.key === other.key;
  }
}
