/**
 * Tickets in a table of ServiceNow (Table API), by default incidents. They are found by their correlation id. A comment and a state are
 * written by one request. Rule: `docs/integration.md#servicenow`.
 */
import Type, { type Static } from 'typebox';
import { type HttpAnswer, type HttpMessage, PlatformHttp } from '../../platforms/http.ts';
import type { SettingsOf } from '../../platforms/settings.ts';
import { parsedAs } from '../../schemaFaults.ts';
import { createWhenReady, creationRefusalOf, ReadError, refusalOf } from '../answers.ts';
import { type Block, fittedText, plainLine } from '../blocks.ts';
import { instantOf } from '../instants.ts';
import { JOURNAL } from '../markup/journal.ts';
import { PageLimit, readReports } from '../pages.ts';
import { COMMON_LABEL } from '../repairs.ts';
import type { Changed, TicketRef, TicketReport, Tracker, Turn } from '../workSystem.ts';
import { createdWith, withoutKey } from '../workSystem.ts';

/** Maximum number of characters of a title, and of a text. */
const MAX_TITLE = 160;
const MAX_TEXT = 4000;
/** Records per request. */
const PAGE = 100;
const PAUSE_MS = 200;
/** A request whose answer was lost may still be running, and a copy may answer queries. */
const LAG_MS = 60_000;
/** Before the last read: times in queries may be those of the account's time zone. */
const OVERLAP_MS = 26 * 3_600_000;

/** A key, and the end of the key of a ticket that replaces an earlier one. */
const KEYS = /^(clew-[0-9a-f]{32})(-[0-9a-f]{8})?$/;

const Field = Type.Object({ value: Type.String(), display_value: Type.Union([Type.String(), Type.Null()]) });
const Row = Type.Object({
  sys_id: Field,
  number: Field,
  state: Field,
  correlation_id: Field,
  sys_updated_on: Field,
  assigned_to: Type.Optional(Field),
  resolved_at: Type.Optional(Field),
  closed_at: Type.Optional(Field),
});
type Row = Static<typeof Row>;
const FIELDS = Object.keys(Row.properties).join(',');
const One = Type.Object({ result: Row });
const Rows = Type.Object({ result: Type.Array(Row) });
const Any = Type.Object({ result: Type.Array(Type.Object({ sys_id: Field })) });
const Journal = Type.Object({ result: Type.Object({ work_notes: Field }) });

/** Numbers of the states of incidents: Resolved, Closed and Canceled, In Progress. */
const INCIDENT = { done: ['6', '7'], dropped: ['8'], final: ['7', '8'], closed: '6', open: '2' };
/** A resolved incident has to name these. */
const RESOLUTION = { close_code: 'Solution provided', close_notes: 'All changes are verified by Clew.' };

export function serviceNowTracker(settings: SettingsOf<'servicenow'>): Tracker {
  const http = new PlatformHttp(settings);
  const base = settings.url.replace(/\/+$/, '');
  const { table = 'incident', user, password, token } = settings;
  const isIncident = table === 'incident';
  if ((token === undefined) === (user === undefined) || (user === undefined) !== (password === undefined))
    throw new Error('platform needs either user and password, or token');
  if (!isIncident && (settings.closedState === undefined || settings.openState === undefined))
    throw new Error(`platform.closedState and platform.openState are needed for the table ${table}`);
  const closedState = settings.closedState ?? INCIDENT.closed;
  const openState = settings.openState ?? INCIDENT.open;
  const done = settings.doneStates ?? (isIncident ? INCIDENT.done : [closedState]);
  const dropped = settings.droppedStates ?? (isIncident ? INCIDENT.dropped : []);
  const final = settings.finalStates ?? (isIncident ? INCIDENT.final : []);
  const closing = settings.closeFields ?? (isIncident ? RESOLUTION : {});
  const authorization =
    token === undefined
      ? `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
      : `Bearer ${token}`;
  const place = `${base}/api/now/table/${table}`;

  function send(
    method: HttpMessage['method'],
    url: string,
    body?: object,
    signal?: AbortSignal,
  ): Promise<HttpAnswer> {
    const content = body !== undefined && { 'content-type': 'application/json' };
    const headers = { accept: 'application/json', authorization, ...content };
    return http.send(
      { method, url, headers, ...(body !== undefined && { body: JSON.stringify(body) }) },
      signal,
    );
  }

  const asked = (more: Readonly<Record<string, string>> = {}, fields = FIELDS): string =>
    String(
      new URLSearchParams({
        ...{ sysparm_display_value: 'all', sysparm_exclude_reference_link: 'true', sysparm_fields: fields },
        ...more,
      }),
    );

  /** The account sees no record where it lost its role: that says nothing about a ticket. @throws Error */
  async function checkTable(signal?: AbortSignal): Promise<void> {
    const answer = await send(
      'GET',
      `${place}?${asked({ sysparm_limit: '1' }, 'sys_id')}`,
      undefined,
      signal,
    );
    const found = answer.status === 200 ? parsedAs(Any, answer.text)?.result : undefined;
    if (found === undefined) throw new ReadError(`the table ${table} cannot be read`, answer);
    if (found.length === 0) throw new Error(`the account sees no record of the table ${table}`);
  }

  const written = (blocks: readonly Block[], mark?: string): string =>
    fittedText(blocks, JOURNAL, MAX_TEXT, mark === undefined ? '' : `\n\n${mark}`);

  /** ServiceNow ignores conditions that it does not understand, so each record is compared again. */
  async function* query(text: string, turn: Turn): AsyncGenerator<Row> {
    const limit = new PageLimit('tickets', turn);
    let size = PAGE;
    for (let at = 0; ; ) {
      const page = { sysparm_query: text, sysparm_limit: String(size), sysparm_offset: String(at) };
      limit.next(`${size} ${at}`);
      const answer = await send('GET', `${place}?${asked(page)}`, undefined, turn.signal);
      if (answer.isCut && size > 1) {
        size = Math.floor(size / 2);
        continue;
      }
      const rows = answer.status === 200 ? parsedAs(Rows, answer.text)?.result : undefined;
      if (rows === undefined) throw new ReadError('the tickets cannot be read', answer);
      yield* rows;
      // Records that the account may not see are missing from a page, so only an empty one is the last.
      if (rows.length === 0) return;
      at += size;
    }
  }

  const refOf = ({ sys_id, number }: Row): TicketRef => ({
    ...{ id: sys_id.value, name: plainLine(number.value, 100) },
    url: `${base}/nav_to.do?uri=${encodeURIComponent(`${table}.do?sys_id=${sys_id.value}`)}`,
  });

  const find: Tracker['find'] = async (key, turn) => {
    const text = `correlation_idSTARTSWITH${key}^ORDERBYDESCsys_created_on^ORDERBYsys_id`;
    for await (const row of query(text, turn)) if (labelsOf(row).includes(key)) return refOf(row);
    return undefined;
  };

  const create = createWhenReady(checkTable, async (ticket, signal) => {
    const fields = {
      ...settings.fields,
      short_description: plainLine(ticket.title, MAX_TITLE),
      description: written(ticket.body),
      correlation_id: ticket.successor ?? ticket.key,
      correlation_display: COMMON_LABEL,
    };
    const answer = await send('POST', `${place}?${asked()}`, fields, signal);
    const made = answer.status === 201 ? parsedAs(One, answer.text)?.result : undefined;
    if (made === undefined) return creationRefusalOf(answer);
    return createdWith(labelsOf(made), refOf(made), ticket);
  });

  async function hasNote(id: string, eventId: string, turn: Turn): Promise<boolean> {
    const url = `${place}/${encodeURIComponent(id)}?${asked({}, 'work_notes')}`;
    const answer = await send('GET', url, undefined, turn.signal);
    const found = answer.status === 200 ? parsedAs(Journal, answer.text) : undefined;
    if (found === undefined) throw new ReadError('the work notes cannot be read', answer);
    return (found.result.work_notes.display_value ?? '').includes(eventId);
  }

  const change: Tracker['change'] = async ({ id, name }, made, turn) => {
    const { signal } = turn;
    const url = `${place}/${encodeURIComponent(id)}?`;
    const answer = await send('GET', `${url}${asked()}`, undefined, signal);
    // A table that is not there is answered with 400.
    if ([400, 404, 410].includes(answer.status)) {
      await checkTable(signal);
      if (answer.status !== 400) return { result: 'missing' };
    }
    const row = answer.status === 200 ? parsedAs(One, answer.text)?.result : undefined;
    if (row === undefined) return refusalOf(answer);
    if (!labelsOf(row).includes(made.key)) return withoutKey(name, made.key);
    const state = row.state.value;
    const isClosed = isClosedState(state);
    const wanted = made.kind === 'note' ? isClosed : made.kind === 'close';
    if (isClosed && !wanted && final.includes(state)) return { result: 'final' };
    const isSaid = await hasNote(id, made.eventId, turn);
    if (isSaid && wanted === isClosed) return { result: 'changed' };
    const fields = {
      ...(!isSaid && { work_notes: written(made.body, made.eventId) }),
      ...(wanted !== isClosed && { state: wanted ? closedState : openState }),
      ...(wanted && !isClosed && closing),
    };
    const changed = await send('PATCH', `${url}${asked()}`, fields, signal);
    const after = changed.status === 200 ? parsedAs(One, changed.text)?.result : undefined;
    if (after === undefined) return refused(changed, name, final.includes(state));
    // Rules of the table may ignore a state silently.
    return isClosedState(after.state.value) === wanted
      ? { result: 'changed' }
      : {
          result: 'rejected',
          reason: `${name} stays in the state ${plainLine(after.state.display_value ?? after.state.value, 100)}`,
        };
  };

  /** Rules of a table refuse changes of closed records with 403. */
  const refused = (answer: HttpAnswer, name: string, isFinal: boolean): Changed =>
    isFinal && answer.status === 403
      ? { result: 'rejected', reason: `${name} is closed for good and takes no comment` }
      : refusalOf(answer);

  const isClosedState = (state: string): boolean => done.includes(state) || dropped.includes(state);

  function reportOf(row: Row, turn: Turn): TicketReport {
    const { sys_id, state, assigned_to, resolved_at, closed_at } = row;
    const isClosed = isClosedState(state.value);
    const [first, second] = dropped.includes(state.value)
      ? [closed_at, resolved_at]
      : [resolved_at, closed_at];
    // A resolved record that is closed later was done when it was resolved.
    const at = timeOf(first) || timeOf(second);
    return {
      ...{ id: sys_id.value, labels: labelsOf(row), isClosed, isDone: done.includes(state.value) },
      ...{ state: state.display_value || state.value, assignee: assigned_to?.display_value ?? '' },
      closedAt: isClosed ? (instantOf(at, turn.now()) ?? '') : '',
    };
  }

  async function* reports(since: string | undefined, turn: Turn) {
    const from = Date.parse(since ?? '') - OVERLAP_MS;
    const changed = Number.isNaN(from) ? '' : `^sys_updated_on>=${queryTime(from)}`;
    const text = `correlation_display=${COMMON_LABEL}^correlation_idSTARTSWITH${COMMON_LABEL}-${changed}^ORDERBYsys_updated_on^ORDERBYsys_id`;
    for await (const row of query(text, turn))
      if (labelsOf(row).length > 0)
        yield [reportOf(row, turn), instantOf(timeOf(row.sys_updated_on), turn.now())] as const;
  }

  return {
    ...{ kind: 'tracker', name: `ServiceNow ${table} at ${new URL(base).host}` },
    scope: `the table ${table} at ${base.replace(/^https?:\/\//, '')}`.toLowerCase(),
    ...{ lagMs: LAG_MS, pauseMs: PAUSE_MS, find, create, change },
    untested: 'no record was made: rules of the table may require more fields',
    test: checkTable,
    read: (since, turn) => readReports(since, reports(since, turn)),
    close: () => http.close(),
  };
}

/** The key of the repair, and that of a ticket which replaces an earlier one. */
function labelsOf({ correlation_id: { value } }: Row): string[] {
  const [all, key, end] = KEYS.exec(value) ?? [];
  if (all === undefined || key === undefined) return [];
  return end === undefined ? [key] : [key, all];
}

/** Values of times are in UTC: "2026-06-01 00:00:00". */
const timeOf = (field: Static<typeof Field> | undefined): string => {
  const text = field?.value ?? '';
  return text === '' ? '' : `${text.replace(' ', 'T')}Z`;
};
const queryTime = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ');
