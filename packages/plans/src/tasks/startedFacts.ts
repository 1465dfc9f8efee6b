/** The stored form of a plan that a user started: the facts of its changes, by object ids, and its figures at that time. */
import type { EffortRecord, PlanRecord } from '@clew/api';
import type { JsonValue } from '@clew/graph';
import type { StoredPackage } from './storedPlan.ts';

/** A card of the plan when it was started. */
export interface PromisedCard {
  readonly key: string;
  readonly package_count: number;
  /** Exposure before and after the card, if the cards before it are done. */
  readonly before: PlanRecord['before'];
  readonly after: PlanRecord['before'];
  /** Cards before it were not started, so it has no promise: both lists are empty. */
  readonly has_no_promise?: true;
}

/** The facts of one change, by object ids, so that they are found in each generation. */
export interface ChangeFacts {
  readonly title: string;
  /**
   * Objects that report relationships between others: units of policies, authorities of enrollment agents. Missing for other relationships,
   * and in plans of earlier releases.
   */
  readonly reporters?: readonly string[];
  readonly removed: readonly {
    readonly start: string;
    readonly kind: string;
    readonly end: string;
    readonly flags: number;
    /** Only OpenGraph files report it. Missing for other relationships, and in plans of earlier releases. */
    readonly is_sample?: true;
  }[];
  readonly properties: readonly {
    readonly object_id: string;
    readonly key: string;
    readonly old: JsonValue;
    readonly wanted: JsonValue;
  }[];
}

/** Times of the last writes of attributes that an analysis read, by attribute and object. */
export type ReadWrites = Readonly<Record<string, string>>;

export interface StartedPlan {
  readonly zone: number;
  readonly generation: number;
  /** Publication time of that generation. Missing in plans of earlier releases. */
  readonly published_at?: string;
  readonly packages: readonly {
    /** Package key in the plan that the user saw. Missing in plans of earlier releases. */
    readonly key?: string;
    readonly title: string;
    /** The title as words and objects, as in `StoredPackage`. */
    readonly title_parts?: StoredPackage['title_parts'];
    readonly changes: readonly ChangeFacts[];
  }[];
  /** The cards of these packages, in order. Missing in plans of earlier releases. */
  readonly cards?: readonly PromisedCard[];
  readonly exposure: PlanRecord['before'];
  readonly effort: readonly EffortRecord[];
  /** Last writes of the attributes behind the facts of its changes. Missing in plans of earlier releases. */
  readonly writes?: ReadWrites;
  /** Forests, as in `FollowedPlan`. */
  readonly forests?: readonly (readonly string[])[];
  /** Environments that were collected when the plan was started. Missing in plans of earlier releases. */
  readonly collected?: readonly string[];
}
