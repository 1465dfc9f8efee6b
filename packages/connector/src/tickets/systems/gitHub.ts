/**
 * Issues of GitHub. A label with its key identifies a ticket; only users with write access to the repository can set labels.
 * Comments have a mark that readers do not see. Rule: `docs/integration.md#github`.
 */
import Type, { type Static, type TSchema } from 'typebox';
import { type HttpAnswer, type HttpMessage, PlatformHttp } from '../../platforms/http.ts';
import type { SettingsOf } from '../../platforms/settings.ts';
import { parsedAs } from '../../schemaFaults.ts';
import { createWhenReady, creationRefusalOf, ReadError, refusalOf } from '../answers.ts';
import { type Block, fittedText, plainLine } from '../blocks.ts';
import { instantOf, laterOf } from '../instants.ts';
import { MARKDOWN } from '../markup/markdown.ts';
import { MAX_PAGES, nextPageOf, PageLimit } from '../pages.ts';
import { COMMON_LABEL } from '../repairs.ts';
import {
  createdWith,
  keysOf,
  type Postponed,
  type Refused,
  type TicketChange,
  type TicketPage,
  type TicketRef,
  type TicketReport,
  type Tracker,
  type Turn,
  withoutKey,
} from '../workSystem.ts';

const API = 'https://api.github.com';
const API_VERSION = '2022-11-28';
/** Required by the API. */
const USER_AGENT = 'clew-connector';
/** Maximum number of characters of a body. */
const MAX_BODY = 65_536;
const PAGE = 100;
/** Overlap with the last read, because lists may show a change late. */
const OVERLAP_MS = 5 * 60_000;
/** The pause that GitHub requests between writes. */
const PAUSE_MS = 1000;
/** Lists are eventually consistent; the delay is not documented. */
const LAG_MS = 15_000;
/** Pause for a secondary limit without a time. */
const LIMITED_MS = 60_000;

const Person = Type.Union([Type.Object({ login: Type.String() }), Type.Null()]);
const Issue = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  html_url: Type.String(),
  state: Type.String(),
  state_reason: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  labels: Type.Array(Type.Union([Type.String(), Type.Object({ name: Type.Optional(Type.String()) })])),
  assignee: Type.Optional(Person),
  updated_at: Type.String(),
  closed_at: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  pull_request: Type.Optional(Type.Unknown()),
});
const Issues = Type.Array(Issue);
const Comments = Type.Array(Type.Object({ body: Type.Optional(Type.Union([Type.String(), Type.Null()])) }));
const Repository = Type.Object({
  full_name: Type.String(),
  has_issues: Type.Boolean(),
  archived: Type.Boolean(),
  permissions: Type.Optional(Type.Object({ push: Type.Boolean() })),
});

/** A page of a list; numbers count from 1. */
interface Page {
  size: number;
  number: number;
}

export function gitHubTracker(settings: SettingsOf<'github'>): Tracker {
  const http = new PlatformHttp(settings);
  const base = (settings.url ?? API).replace(/\/+$/, '');
  const repository = `${base}/repos/${settings.repository}`;
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${settings.token}`,
    'x-github-api-version': API_VERSION,
    'user-agent': USER_AGENT,
  };

  const send = (method: HttpMessage['method'], path: string, body?: unknown, signal?: AbortSignal) =>
    http.send(
      {
        ...{ method, url: `${repository}${path}`, headers },
        ...(body !== undefined && {
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      },
      signal,
    );

  /**
   * Without write access, GitHub silently drops the label of a new issue, which could then never be found.
   * @throws Error, also for a renamed repository: another one may take over its old name
   */
  async function checkRepository(signal?: AbortSignal): Promise<void> {
    const answer = await send('GET', '', undefined, signal);
    const found = answer.status === 200 ? parsedAs(Repository, answer.text) : undefined;
    if (found === undefined) throw unread(`the repository ${settings.repository} cannot be read`, answer);
    if (found.full_name.toLowerCase() !== settings.repository.toLowerCase())
      throw new Error(`the repository ${settings.repository} is now named ${plainLine(found.full_name)}`);
    if (!found.has_issues || found.archived) throw new Error('the repository does not allow issues');
    if (found.permissions?.push === false)
      throw new Error(
        'the token cannot write to the repository: this is needed for labels, by which tickets are found',
      );
  }

  /** @param page is changed to smaller pages if an answer is too large @param what the name of the list */
  async function readPage<Schema extends TSchema>(
    schema: Schema,
    what: string,
    path: string,
    page: Page,
    turn: Turn,
  ): Promise<{ readonly found: Static<Schema>; readonly next: number | undefined }> {
    for (;;) {
      const query = `${path}per_page=${page.size}&page=${page.number}`;
      const answer = await send('GET', query, undefined, turn.signal);
      if (answer.isCut && page.size > 1) {
        const before = (page.number - 1) * page.size;
        page.size = Math.floor(page.size / 2);
        page.number = Math.floor(before / page.size) + 1;
        continue;
      }
      const found = answer.status === 200 ? parsedAs(schema, answer.text) : undefined;
      if (found === undefined) throw unread(`the ${what} cannot be read`, answer);
      return { found, next: nextPageOf(answer.headers) };
    }
  }

  async function* pagesOf<Schema extends TSchema>(schema: Schema, what: string, path: string, turn: Turn) {
    const limit = new PageLimit(what, turn);
    const page: Page = { size: PAGE, number: 1 };
    for (;;) {
      limit.next(`${page.size} ${page.number}`);
      const { found, next } = await readPage(schema, what, path, page, turn);
      yield found;
      if (next === undefined) return;
      page.number = next;
    }
  }

  const own = (label: string): string => `/issues?labels=${label}&state=all&`;

  const find: Tracker['find'] = async (key, turn) => {
    for await (const found of pagesOf(Issues, 'issues', `${own(key)}sort=created&direction=desc&`, turn))
      for (const issue of found)
        if (issue.pull_request === undefined && labelsOf(issue).includes(key)) return refOf(issue);
    return undefined;
  };

  /**
   * Reads tickets in order of their last change. Each page begins at the last time of the previous one, because page numbers
   * shift when tickets change in the meantime.
   */
  async function read(since: string | undefined, turn: Turn): Promise<TicketPage> {
    const tickets = new Map<number, TicketReport>();
    const page: Page = { size: PAGE, number: 1 };
    const begun = Date.parse(since ?? '') - OVERLAP_MS;
    // GitHub writes no fractions of seconds.
    let start = Number.isNaN(begun) ? '' : `${new Date(begun).toISOString().slice(0, 19)}Z`;
    let last = since ?? '';
    for (let count = 0; count < MAX_PAGES && (count === 0 || !turn.isOver()); count++) {
      const from = start === '' ? '' : `since=${encodeURIComponent(start)}&`;
      const path = `${own(COMMON_LABEL)}sort=updated&direction=asc&${from}`;
      const { found, next } = await readPage(Issues, 'issues', path, page, turn);
      let end = start;
      for (const issue of found) {
        if (issue.pull_request === undefined) tickets.set(issue.number, reportOf(issue, turn.now()));
        end = laterOf(end, instantOf(issue.updated_at, turn.now()) ?? '');
      }
      last = laterOf(last, end);
      if (next === undefined) break;
      if (end === start && next <= page.number)
        throw new Error('the list of issues contains the same page twice');
      page.number = end === start ? next : 1;
      start = end;
    }
    return { tickets: [...tickets.values()], next: last };
  }

  const refOf = ({ number, html_url }: { number: number; html_url: string }): TicketRef => ({
    ...{ id: String(number), name: `${settings.repository}#${number}`, url: html_url },
  });

  const create = createWhenReady(checkRepository, async (ticket, signal) => {
    const body = {
      title: ticket.title,
      body: written(ticket.body),
      labels: [COMMON_LABEL, ...keysOf(ticket), ...(settings.labels ?? [])],
      ...(settings.assignees !== undefined && { assignees: settings.assignees }),
    };
    const answer = await send('POST', '/issues', body, signal);
    const made = answer.status === 201 ? parsedAs(Issue, answer.text) : undefined;
    if (made === undefined) {
      const limit = limitOf(answer);
      return creationRefusalOf(limit.answer, limit.isLimited);
    }
    return createdWith(labelsOf(made), refOf(made), ticket);
  });

  /** @returns `undefined` if the comment now exists */
  async function comment(
    path: string,
    { body, eventId }: TicketChange,
    turn: Turn,
  ): Promise<Refused | Postponed | undefined> {
    for await (const found of pagesOf(Comments, 'comments', `${path}/comments?`, turn))
      if (found.some((one) => marksIn(one.body).includes(eventId))) return undefined;
    const text = written(body, eventId);
    const answer = await send('POST', `${path}/comments`, { body: text }, turn.signal);
    return answer.status === 201 ? undefined : refused(answer);
  }

  const change: Tracker['change'] = async ({ id, name }, made, turn) => {
    const { signal } = turn;
    const path = `/issues/${id}`;
    const answer = await send('GET', path, undefined, signal);
    if ([301, 404, 410].includes(answer.status)) {
      // All issues may be inaccessible, so this proves nothing about the issue.
      await checkRepository(signal);
      if (answer.status !== 301) return { result: 'missing' };
      return { result: 'rejected', reason: `${name} was moved to another repository: it is not changed` };
    }
    const issue = answer.status === 200 ? parsedAs(Issue, answer.text) : undefined;
    if (issue === undefined) return refused(answer);
    if (!labelsOf(issue).includes(made.key)) return withoutKey(name, made.key);
    const refusal = await comment(path, made, turn);
    if (refusal !== undefined) return refusal;
    const wanted = STATES[made.kind];
    if (wanted === undefined || wanted.state === issue.state) return { result: 'changed' };
    const changed = await send('PATCH', path, wanted, signal);
    return changed.status === 200 ? { result: 'changed' } : refused(changed);
  };

  return {
    ...{ kind: 'tracker', name: `GitHub ${settings.repository}`, lagMs: LAG_MS, pauseMs: PAUSE_MS },
    scope: `the GitHub repository ${new URL(base).host}/${settings.repository}`.toLowerCase(),
    test: checkRepository,
    ...{ find, create, change, read },
    close: () => http.close(),
  };
}

const labelsOf = ({ labels }: Static<typeof Issue>): string[] =>
  labels.map((label) => (typeof label === 'string' ? label : (label.name ?? '')));

/** @param now milliseconds since the epoch */
function reportOf(issue: Static<typeof Issue>, now: number): TicketReport {
  const { number, state, state_reason, assignee, closed_at } = issue;
  const isClosed = state === 'closed';
  return {
    ...{
      id: String(number),
      labels: labelsOf(issue),
      isClosed,
      isDone: isClosed && state_reason === DONE_REASON,
    },
    ...{ assignee: assignee?.login ?? '', closedAt: isClosed ? (instantOf(closed_at, now) ?? '') : '' },
    state: isClosed && state_reason ? `${state} (${state_reason})` : state,
  };
}

/** Others are `not_planned` and `duplicate`. */
const DONE_REASON = 'completed';
const STATES: Readonly<Record<TicketChange['kind'], { state: string; state_reason: string } | undefined>> = {
  close: { state: 'closed', state_reason: DONE_REASON },
  reopen: { state: 'open', state_reason: 'reopened' },
  note: undefined,
};

/** An invisible HTML comment. */
const markOf = (id: string): string => `<!-- ${id} -->`;

/** @param id of an event, which identifies its comment */
const written = (blocks: readonly Block[], id?: string): string =>
  fittedText(blocks, MARKDOWN, MAX_BODY, id === undefined ? '' : `\n\n${markOf(id)}`);

/** A mark is a separate line. Untrusted text is never one: it is a code span within one line, in a sentence or a list item. */
const marksIn = (body: string | null | undefined): string[] =>
  (body ?? '').split(/\r?\n/).flatMap((line) => /^<!-- ([0-9a-z-]+) -->$/.exec(line.trim())?.[1] ?? []);

/** The API answers 403 or 429 above a limit; `x-ratelimit-reset` counts only if no requests are left. */
function limitOf(answer: HttpAnswer): { readonly answer: HttpAnswer; readonly isLimited: boolean } {
  const { status, headers, text, retryAfterMs } = answer;
  const isSpent = headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after');
  const isLimited = status === 429 || (status === 403 && (isSpent || /rate limit/i.test(text)));
  const after = isSpent ? retryAfterMs : isLimited ? LIMITED_MS : undefined;
  return { answer: { ...answer, retryAfterMs: after }, isLimited };
}

function refused(answer: HttpAnswer): Refused | Postponed {
  const limit = limitOf(answer);
  return refusalOf(limit.answer, limit.isLimited);
}

function unread(what: string, answer: HttpAnswer): ReadError {
  const limit = limitOf(answer);
  return new ReadError(what, limit.answer, limit.isLimited);
}
