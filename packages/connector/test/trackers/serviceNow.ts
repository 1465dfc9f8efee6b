/** The part of the Table API of ServiceNow that tickets use, by its documentation: "Table API", "Encoded query strings", states of incidents. */
import type { WorkSettings } from '../../src/platforms/settings.ts';
import type { Answer, Received } from '../receiver.ts';
import { type ModelTicket, ModelTracker } from './modelSystem.ts';

const PASSWORD = 'snow-secret-password';
const STATES: Readonly<Record<string, string>> = {
  ...{ 1: 'New', 2: 'In Progress', 3: 'On Hold', 6: 'Resolved', 7: 'Closed', 8: 'Canceled' },
};

interface Incident extends ModelTicket {
  readonly number: string;
  labels: readonly string[];
  state: string;
  updated: string;
  resolved: string;
  closed: string;
  assignee: string;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of requests are checked field by field.
type Json = any;

export class ServiceNowModel extends ModelTracker {
  override readonly tickets: Incident[] = [];
  readonly secrets = [PASSWORD, Buffer.from(`clew:${PASSWORD}`).toString('base64')];
  readonly indexLagMs = 30_000;
  /** Rules of the table keep records in their state. */
  keepsStates = false;
  /** Rules of the table forbid changes of closed records. */
  locksClosed = true;
  /** The table has no correlation id for this account. */
  dropsKeys = false;
  #count = 0;

  settings(url: string): WorkSettings {
    return { type: 'servicenow', url: `${url}/`, user: 'clew', password: PASSWORD };
  }

  close(ticket: ModelTicket, by: string): void {
    this.#move(ticket as Incident, '6');
    Object.assign(ticket, { assignee: by });
  }

  dismiss(ticket: ModelTicket): void {
    this.#move(ticket as Incident, '8');
  }

  open(ticket: ModelTicket): void {
    this.#move(ticket as Incident, '2');
  }

  /** Closes an incident for good. */
  end(ticket: ModelTicket): void {
    this.#move(ticket as Incident, '7');
  }

  #move(one: Incident, state: string): void {
    const at = timeText(this.tick());
    const isClosed = Number(state) >= 6;
    const resolved =
      state === '6' || (state === '7' && one.resolved === '') ? at : isClosed ? one.resolved : '';
    const closed = state === '7' || state === '8' ? at : '';
    Object.assign(one, { state, isClosed, updated: at, resolved, closed });
  }

  answer({ method, path, headers, body }: Received): Answer {
    if (headers.authorization !== `Basic ${this.secrets[1]}`) return failure(401, 'User Not Authenticated');
    const url = new URL(path, 'http://x');
    const query = url.searchParams;
    this.demand(query.get('sysparm_display_value') === 'all', 'values and their texts are asked for');
    if (body !== '' && headers['content-type'] !== 'application/json') return { status: 415 };
    const [, table, id] = /^\/api\/now\/table\/(\w+)(?:\/(\w+))?$/.exec(url.pathname) ?? [];
    if (table !== 'incident' || this.isAway === 'renamed') return failure(400, `Invalid table ${table}`);
    const json = body === '' ? undefined : JSON.parse(body);
    const fields = (query.get('sysparm_fields') ?? '').split(',');
    if (id !== undefined) return this.#one(id, method, json, fields);
    if (method === 'POST') return this.#create(json, fields);
    return { status: 200, body: { result: this.#query(query).map((one) => this.#record(one, fields)) } };
  }

  /** Conditions that it does not understand are ignored. */
  #query(query: URLSearchParams): Incident[] {
    if (this.isAway === 'hidden') return [];
    const text = query.get('sysparm_query') ?? '';
    const form =
      /^(?:correlation_display=clew\^)?correlation_idSTARTSWITH(clew-[a-f0-9-]*)(?:\^sys_updated_on>=(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d))?\^ORDERBY(DESCsys_created_on|sys_updated_on)\^ORDERBYsys_id$/;
    const [isForm, key = '', since = '', order] = form.exec(text) ?? [];
    this.demand(text === '' || isForm !== undefined, 'a query by the correlation id');
    const all = [FOREIGN, ...this.tickets].filter((one) => one === FOREIGN || this.isIndexed(one));
    const found = all
      .filter((one) => correlationOf(one).startsWith(key) && one.updated >= since)
      .toSorted((a, b) =>
        order === 'sys_updated_on'
          ? a.updated < b.updated
            ? -1
            : 1
          : b.madeAt - a.madeAt || (a.id < b.id ? 1 : -1),
      );
    const [limit, at] = [Number(query.get('sysparm_limit')), Number(query.get('sysparm_offset') ?? 0)];
    this.demand(limit > 0 && limit <= 10_000, 'a page has a limit');
    return found.slice(at, at + limit);
  }

  #create(json: Json, fields: readonly string[]): Answer {
    this.demand(json.short_description.length <= 160 && json.description.length <= 4000, 'texts fit');
    this.demand(json.correlation_display === 'clew', 'the ticket names its maker');
    const number = ++this.#count;
    const incident: Incident = {
      ...{ id: String(number).padStart(32, '0'), number: `INC${String(number).padStart(7, '0')}` },
      ...{ title: json.short_description, body: json.description, isClosed: false, comments: [] },
      ...{
        state: '1',
        resolved: '',
        closed: '',
        assignee: '',
        updated: timeText(this.tick()),
        madeAt: this.instant,
      },
      labels: this.dropsKeys ? [] : [json.correlation_id.slice(0, KEY_LENGTH), json.correlation_id],
    };
    this.tickets.push(incident);
    return { status: 201, body: { result: this.#record(incident, fields) } };
  }

  #one(id: string, method: string, json: Json, fields: readonly string[]): Answer {
    const one = this.isAway === 'hidden' ? undefined : this.tickets.find((ticket) => ticket.id === id);
    if (one === undefined) return failure(404, 'No Record found');
    if (method === 'GET') return { status: 200, body: { result: this.#record(one, fields) } };
    if (one.state === '7' && this.locksClosed)
      return failure(403, 'Operation Failed: aborted by Business Rule');
    const { state, work_notes, close_code, close_notes, ...others } = json;
    this.demand(Object.keys(others).length === 0, 'a change has no other fields');
    if (state === '6' && !(close_code && close_notes))
      return failure(403, 'Data Policy Exception: Resolution code is mandatory');
    this.demand(state === undefined || Object.hasOwn(STATES, state), 'a known state');
    one.updated = timeText(this.tick());
    if (work_notes !== undefined) {
      this.demand(work_notes.length <= 4000, 'a note fits');
      one.comments.push(work_notes);
    }
    if (state !== undefined && !this.keepsStates) this.#move(one, state);
    return { status: 200, body: { result: this.#record(one, fields) } };
  }

  #record(one: Incident, wanted: readonly string[]) {
    const journal = one.comments
      .toReversed()
      .map((text) => `2026-06-01 02:00:00 - Clew (Work notes)\n${text}\n\n`);
    const fields = {
      ...{ sys_id: both(one.id), number: both(one.number), correlation_id: both(correlationOf(one)) },
      state: { value: one.state, display_value: STATES[one.state] },
      // Texts of times are in the time zone of the account.
      sys_updated_on: { value: one.updated, display_value: 'yesterday' },
      assigned_to: { value: one.assignee === '' ? '' : 'f00', display_value: one.assignee },
      ...{ resolved_at: both(one.resolved), closed_at: both(one.closed) },
      work_notes: { value: '', display_value: journal.join('') },
    };
    return Object.fromEntries(Object.entries(fields).filter(([name]) => wanted.includes(name)));
  }
}

/** A record of someone else. */
const FOREIGN: Incident = {
  ...{
    id: 'f'.repeat(32),
    number: 'INC9999999',
    closed: '',
    state: '1',
    updated: '2020-01-01 00:00:00',
  },
  ...{
    resolved: '',
    assignee: '',
    title: 'Printer',
    body: '',
    isClosed: false,
    comments: [],
    labels: [],
    madeAt: 0,
  },
};

/** `clew-` and 32 digits. */
const KEY_LENGTH = 37;
/** The one field that identifies an incident: its last key. */
export const correlationOf = ({ labels }: Pick<ModelTicket, 'labels'>): string => labels.at(-1) ?? '';

const both = (text: string) => ({ value: text, display_value: text });
const timeText = (instant: string): string => instant.replace('T', ' ').replace('Z', '');
const failure = (status: number, message: string): Answer => ({
  status,
  body: { error: { message, detail: null }, status: 'failure' },
});
