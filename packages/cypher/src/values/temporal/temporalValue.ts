import { Special, type Value } from '../values.ts';

/** A time or a span of time. */
export abstract class TemporalValue extends Special {
  /** Place among the temporal types in ORDER BY. */
  abstract readonly rank: number;
  /** Equal for equal values of one type. */
  abstract readonly key: string;
  abstract override toString(): string;
  /** @returns nothing for an unknown component */
  abstract component(name: string): Value | undefined;
  /** Compares like `<`. @returns null for another type */
  abstract compare(other: TemporalValue): number | null;
  /** Compares like ORDER BY, among values of one type. */
  abstract order(other: TemporalValue): number;
  /** @returns the value of this type in the text; nothing when it contains none */
  abstract parseLike(text: string): TemporalValue | undefined;

  equals(other: TemporalValue): boolean {
    return this.rank === other.rank && this.key === other.key;
  }
}
