/**
 * Recorded requests of clients: a file for each client in `recordings`, and the answer to each request in `../publicRequests`. Values are
 * those of the generated organization of `clientService.ts`, which is the same in each run.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface RecordedClient {
  readonly client: string;
  /** The program that sends the requests, and its library. */
  readonly program: string;
  /** Where the requests come from. */
  readonly recorded: string;
}

/** A request whose headers are sent as they are written, in their order. Names in braces are replaced (`playHttp.ts`). */
export interface RecordedRequest {
  /** Also the name of the file with its answer. */
  readonly name: string;
  readonly method: string;
  readonly target: string;
  /** If absent, those of the client. */
  readonly headers?: readonly string[];
  /** Text, or JSON that is sent without spaces. */
  readonly body?: unknown;
  readonly encoding?: 'gzip';
}

export type RecordedValue =
  | string
  | number
  | boolean
  | null
  | readonly RecordedValue[]
  | { readonly [name: string]: RecordedValue };

/** A query, sent as RUN and PULL. */
export interface RecordedQuery {
  readonly name: string;
  readonly query: string;
  readonly parameters?: { readonly [name: string]: RecordedValue };
  /** The database that the query or its transaction names; `layer.NAME` is a layer. */
  readonly database?: string;
  /** Whether BEGIN comes before it and COMMIT after it. */
  readonly inTransaction?: boolean;
  /** Access mode that the client asks for; default: to write. */
  readonly mode?: 'r';
  /** Rows of one PULL; default: all. */
  readonly fetch?: number;
}

export interface HttpRecording extends RecordedClient {
  readonly protocol: 'http';
  readonly headers: readonly string[];
  readonly requests: readonly RecordedRequest[];
}

export interface BoltRecording extends RecordedClient {
  readonly protocol: 'bolt';
  /** Version of Bolt that client and service agree on, such as `5.4`. */
  readonly version: string;
  /** The layer of the connection: the tool signs in as `layer.NAME`. A later recording sees no change of it. */
  readonly layer?: string;
  readonly requests: readonly RecordedQuery[];
}

export type Recording = HttpRecording | BoltRecording;

const FOLDER = join(import.meta.dirname, 'recordings');
const ANSWERS = join(import.meta.dirname, '../publicRequests');

/** In the order in which they are played: some change what later ones see. */
export function readRecordings(): readonly Recording[] {
  return globSync('*.json', { cwd: FOLDER })
    .toSorted()
    .map((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Recording);
}

/** @returns the file with the answer to a request */
export const answerFile = (name: string): string => join(ANSWERS, `${name}.txt`);
