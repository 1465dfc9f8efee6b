/**
 * The interfaces of systems for work: trackers, whose tickets can be found and read, and messengers, whose messages are sent
 * once. Rule: `docs/integration.md#tickets`.
 */
import type { Destination } from '../platforms/platform.ts';
import type { Block } from './blocks.ts';

export interface TicketRef {
  /** The id under which the tracker accepts changes. */
  readonly id: string;
  /** The name that users know, such as `SEC-12` or `acme/infra#12`. */
  readonly name: string;
  readonly url: string;
}

export interface NewTicket {
  /** Key of the repair (`repairKey`): lower-case letters, digits and hyphens. */
  readonly key: string;
  /** Own key, at most 50 characters, of a ticket that replaces an earlier one; it has both keys. */
  readonly successor?: string;
  /** The first word of a message that is not about a repair. */
  readonly headline?: string;
  /** One line of text from the service. */
  readonly title: string;
  readonly body: readonly Block[];
}

/** `note` does not change the state of the ticket. */
export type ChangeKind = 'close' | 'reopen' | 'note';

export interface TicketChange {
  readonly kind: ChangeKind;
  /** Key of the repair: a ticket without it is not changed. */
  readonly key: string;
  /** Equal for each attempt, so that a repetition is recognized. */
  readonly eventId: string;
  readonly body: readonly Block[];
}

/** The system did not accept it. */
export interface Refused {
  readonly result: 'rejected';
  readonly reason: string;
}

export interface Postponed {
  readonly result: 'retry';
  readonly reason: string;
  /** The refusal concerns this ticket only: the system accepts others. */
  readonly isOwn?: boolean;
  /** Milliseconds that the system requests. */
  readonly afterMs?: number;
  /** Whether the system may have it nevertheless. */
  readonly mayHaveArrived: boolean;
}

export type Creation = { readonly result: 'created'; readonly ref: TicketRef } | Refused | Postponed;

/**
 * `missing`: the ticket no longer exists (404, 410), and a fresh read of its repository or project shows that others can be
 * reached. `final`: it cannot be reopened.
 */
export type Changed = { readonly result: 'changed' | 'missing' | 'final' } | Unreadable | Refused | Postponed;

/** The ticket is not there for the account, which says nothing of whether it was deleted. */
export interface Unreadable {
  readonly result: 'unreadable';
  readonly reason: string;
}

/** The current state of a ticket in its tracker. */
export interface TicketReport {
  /** Id of the ticket's reference. */
  readonly id: string;
  /** Labels of the ticket: a report counts only if they contain the key of the repair. */
  readonly labels: readonly string[];
  readonly isClosed: boolean;
  /** The ticket was closed as done: other closings (not planned, a duplicate) mark nothing. */
  readonly isDone: boolean;
  /** Its state, as the tracker names it. */
  readonly state: string;
  /** Name of its assignee; empty for none. */
  readonly assignee: string;
  /** Time of the closing; empty for an open ticket, and if the tracker has none. */
  readonly closedAt: string;
}

export interface TicketPage {
  readonly tickets: readonly TicketReport[];
  /** Start of the next read. */
  readonly next: string;
}

/** Labels that identify a ticket. */
export const keysOf = ({ key, successor }: NewTicket): string[] =>
  successor === undefined ? [key] : [key, successor];

/** Refusal for an existing ticket without its label, which is not changed. */
export const withoutKey = (name: string, key: string): Refused => ({
  result: 'rejected',
  reason: `${name} does not have the label ${key}: it is not changed until it has the label again`,
});

/** The answer to a creation, by the labels that the new ticket has. */
export const createdWith = (labels: readonly string[], ref: TicketRef, ticket: NewTicket): Creation =>
  keysOf(ticket).every((key) => labels.includes(key))
    ? { result: 'created', ref }
    : withoutKey(ref.name, ticket.key);

/** The run that reads or changes a tracker. */
export interface Turn {
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Stops reading further pages. */
  readonly isOver: () => boolean;
}

export interface Tracker extends Destination {
  readonly kind: 'tracker';
  /** Identifies the location of its tickets independent of its spelling: references to tickets are valid only there. */
  readonly scope: string;
  /** Maximum milliseconds until a new ticket can be found; 0 if at once. */
  readonly lagMs: number;
  /** Milliseconds that the system requests between two writes. */
  readonly pauseMs: number;
  /** Finds the newest ticket of a key. @throws Error, also if the answer cannot be trusted */
  find(key: string, turn: Turn): Promise<TicketRef | undefined>;
  /** Not idempotent in any tracker: the caller searches first. An exception means that the ticket may exist. */
  create(ticket: NewTicket, signal?: AbortSignal): Promise<Creation>;
  /** Does not repeat a change that was already made. An exception means "try again". */
  change(ref: TicketRef, change: TicketChange, turn: Turn): Promise<Changed>;
  /** Tickets of this connector with changes since some minutes before an earlier read; all for `undefined`. @throws Error */
  read(since: string | undefined, turn: Turn): Promise<TicketPage>;
}

export interface Message {
  readonly kind: 'create' | ChangeKind;
  readonly ticket: NewTicket;
  readonly eventId: string;
  /** Text of the change; empty for a new repair. */
  readonly body: readonly Block[];
}

export type Sent =
  /** `fault`: some of its receivers did not get it. */
  { readonly result: 'sent'; readonly fault?: string } | Refused | Postponed;

export interface Sending {
  readonly signal: AbortSignal;
  /** Called before the content is sent: from then on, the message may have arrived. @throws Error if it must not be sent */
  readonly begin: () => Promise<void>;
}

export interface Messenger extends Destination {
  readonly kind: 'messenger';
  /** Messages have no references, so the type of the system is sufficient. */
  readonly scope: string;
  readonly pauseMs: number;
  /** After `begin`, an exception means that the message may have arrived. */
  send(message: Message, sending: Sending): Promise<Sent>;
}

export type WorkSystem = Tracker | Messenger;

/** Whether a connector delivers repairs to the destination, not findings. */
export const isWorkSystem = (destination: Destination): destination is WorkSystem => 'kind' in destination;
