/** The forms of requests, with the objects of the organization and the ids from answers that they need. */

// biome-ignore lint/suspicious/noExplicitAny: answers are held to their contracts by the service itself.
export type Json = any;
export type Values = Readonly<Record<string, string | number>>;

export interface Sent {
  readonly params?: Values;
  readonly query?: Values;
  readonly body?: unknown;
  readonly status: number;
  /** `undefined` if the answer is not JSON. */
  readonly json?: Json;
}

export interface Asked {
  readonly params?: Values;
  readonly query?: Values;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** Requests by operation. */
export type RequestTable = Readonly<Record<string, Asked>>;

/** The objects in the requests. */
export interface Subjects {
  readonly userId: string;
  readonly domain: string;
  readonly tenant: string;
  readonly azureUser: string;
  readonly idOf: ReadonlyMap<string, string>;
  readonly path: { readonly from: string; readonly to: string };
  readonly inherited: Json;
  readonly derived: Json;
  readonly relayed: Json;
  readonly node: number;
  readonly meta: string;
  readonly finding: Json;
  readonly member: Json;
}

export interface Known extends Subjects {
  /** Ids from answers of this run, by operation. */
  readonly made: ReadonlyMap<string, string | number>;
  readonly samlMetadata: string;
  /** The most recently created job of the collector. */
  readonly job: number;
}
