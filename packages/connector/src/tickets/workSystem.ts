/**
 * The interfaces of systems for work: trackers, whose tickets are found again and read, and messages, which are sent once.
 * Rule: `docs/integration.md#tickets`.
 */
import type { Destination } from '../platforms/platform.ts';
import type { Block } from './blocks.ts';

/** A ticket in its tracker. */
export interface TicketRef {
  /** The tracker takes changes under it. */
  readonly id: string;
  /** People know it by this name, such as `SEC-12` or `acme/infra#12`. */
  readonly name: string;
  readonly url: string;
}

export interface NewTicket {
  /** Key of the repair (`repairKey`): lower-case letters, digits and hyphens. */
  readonly key: string;
  /** Key of its own, at most 50 characters, of a ticket that takes the place of an earlier one: it has both keys. */
  readonly successor?: string;
  /** One line, of text that the service gave. */
  readonly title: string;
  readonly body: readonly Block[];
}

/** `note` leaves the state of the ticket as it is. */
export type ChangeKind = 'close' | 'reopen' | 'note';

export interface TicketChange {
  readonly kind: ChangeKind;
  /** That of the repair: a ticket without it is not written to. */
  readonly key: string;
  /** The same each time it is tried, so that a repetition is recognized. */
  readonly eventId: string;
  readonly body: readonly Block[];
}

/** The system has nothing of it. */
export interface Refused {
  readonly result: 'rejected';
  readonly reason: string;
}

export interface Postponed {
  readonly result: 'retry';
  readonly reason: string;
  /** It concerns this ticket only: the system takes others. */
  readonly isOwn?: boolean;
  /** Milliseconds that the system asks for. */
  readonly afterMs?: number;
  /** Whether the system may have it all the same. */
  readonly mayHaveArrived: boolean;
}

export type Creation = { readonly result: 'created'; readonly ref: TicketRef } | Refused | Postponed;

/**
 * `missing`: there is no such ticket any more (404, 410), and a fresh read of its repository or project shows that others can be reached. `final`: it
 * cannot be reopened.
 */
export type Changed = { readonly result: 'changed' | 'missing' | 'final' } | Refused | Postponed;

/** A ticket as its tracker has it now. */
export interface TicketReport {
  /** That of its reference. */
  readonly id: string;
  /** Its labels: a report counts for the ticket of a repair only with the key of it. */
  readonly labels: readonly string[];
  readonly isClosed: boolean;
  /** It was closed as done: other closings (not planned, a duplicate) mark nothing. */
  readonly isDone: boolean;
  /** Its state in the words of the tracker. */
  readonly state: string;
  /** Name of its assignee; empty for none. */
  readonly assignee: string;
  /** Instant of the closing; empty for an open ticket, and where the tracker has none. */
  readonly closedAt: string;
}

export interface TicketPage {
  readonly tickets: readonly TicketReport[];
  /** Where the next read begins. */
  readonly next: string;
}

/** Keys by which a ticket is found, as labels. */
export const keysOf = ({ key, successor }: NewTicket): string[] =>
  successor === undefined ? [key] : [key, successor];

/** A ticket that is there, and that people took the label from: it is not written to. */
export const withoutKey = (name: string, key: string): Refused => ({
  result: 'rejected',
  reason: `${name} does not have the label ${key}: it is not written to until it has the label again`,
});

/** The run in which a tracker is asked. */
export interface Turn {
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** No further page is read then. */
  readonly isOver: () => boolean;
}

export interface Tracker extends Destination {
  readonly kind: 'tracker';
  /** Where its tickets are, the same for all ways to write it: a reference to a ticket has a meaning there only. */
  readonly scope: string;
  /** Milliseconds from creating a ticket until it is certainly found; 0 where it is found at once. */
  readonly lagMs: number;
  /** Milliseconds between two writes that the system asks for. */
  readonly pauseMs: number;
  /** Looks for the newest ticket of a key. @throws Error, also where the answer cannot be trusted */
  find(key: string, turn: Turn): Promise<TicketRef | undefined>;
  /** Not idempotent in any tracker: the caller has looked before. An exception means that it may have arrived. */
  create(ticket: NewTicket, signal?: AbortSignal): Promise<Creation>;
  /** A change that was made already is not made twice. An exception means "try again". */
  change(ref: TicketRef, change: TicketChange, turn: Turn): Promise<Changed>;
  /** Tickets of this connector that changed since some minutes before an earlier read; all for `undefined`. @throws Error */
  read(since: string | undefined, turn: Turn): Promise<TicketPage>;
}

export interface Message {
  readonly kind: 'create' | ChangeKind;
  readonly ticket: NewTicket;
  readonly eventId: string;
  /** Text of the change; empty for a new repair. */
  readonly body: readonly Block[];
}

export type Sent = { readonly result: 'sent' } | Refused | Postponed;

export interface Messenger extends Destination {
  readonly kind: 'messenger';
  /** Messages are not referred to, so the kind of the system is enough. */
  readonly scope: string;
  readonly pauseMs: number;
  /** An exception means that it may have arrived. */
  send(message: Message, signal?: AbortSignal): Promise<Sent>;
}

export type WorkSystem = Tracker | Messenger;

/** Whether a connector delivers repairs there, and not findings. */
export const isWorkSystem = (destination: Destination): destination is WorkSystem => 'kind' in destination;
