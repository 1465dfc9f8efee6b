/**
 * Issues of Jira: Cloud (REST version 3, documents) and Server or Data Center (REST version 2, wiki markup). Tickets are found by a label
 * with the key. Rule: `docs/integration.md#jira`.
 */
import Type, { type Static } from 'typebox';
import { type HttpMessage, PlatformHttp } from '../../platforms/http.ts';
import type { SettingsOf } from '../../platforms/settings.ts';
import { parsedAs } from '../../schemaFaults.ts';
import { createWhenReady, creationRefusalOf, ReadError, refusalOf } from '../answers.ts';
import { type Block, fitted, plainLine, writeBlocks } from '../blocks.ts';
import { instantOf } from '../instants.ts';
import { adfDocument } from '../markup/adf.ts';
import { WIKI } from '../markup/wiki.ts';
import { PageLimit, readReports } from '../pages.ts';
import { COMMON_LABEL } from '../repairs.ts';
import type { Changed, TicketRef, TicketReport, Tracker, Turn } from '../workSystem.ts';
import { keysOf, withoutKey } from '../workSystem.ts';
import { checkJiraFields } from './jiraFields.ts';
import { checkJiraStatuses } from './jiraStatuses.ts';

/** Maximum number of characters of a text field. */
const MAX_TEXT = 32_767;
const PAGE = 100;
const PAUSE_MS = 200;
/** The search index lags by seconds, sometimes by a minute. */
const LAG_MS = 120_000;
/** Clocks differ, and searches count by minutes. */
const OVERLAP_MINUTES = 15;
const FIELDS = [
  'labels',
  'status',
  'assignee',
  'updated',
  'resolution',
  'resolutiondate',
  'statuscategorychangedate',
];

const Status = Type.Object({
  name: Type.String(),
  statusCategory: Type.Object({ key: Type.String() }),
});
const Issue = Type.Object({
  id: Type.String({ minLength: 1 }),
  key: Type.String({ pattern: '^[A-Z][A-Z0-9_]*-[0-9]+$' }),
  fields: Type.Object({
    labels: Type.Optional(Type.Array(Type.String())),
    status: Status,
    assignee: Type.Optional(Type.Union([Type.Object({ displayName: Type.String() }), Type.Null()])),
    updated: Type.String(),
    resolution: Type.Optional(Type.Union([Type.Object({ name: Type.String() }), Type.Null()])),
    // Only Jira Cloud has this field, also for workflows that set no resolution.
    statuscategorychangedate: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    resolutiondate: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
});
const Made = Type.Object({ id: Issue.properties.id, key: Issue.properties.key });
const Found = Type.Object({
  issues: Type.Array(Issue),
  nextPageToken: Type.Optional(Type.String()),
  total: Type.Optional(Type.Integer()),
});
const Comments = Type.Object({
  total: Type.Integer(),
  comments: Type.Array(Type.Object({ body: Type.Unknown() })),
});
const Transitions = Type.Object({
  transitions: Type.Array(Type.Object({ id: Type.String(), to: Status })),
});
const Permissions = Type.Object({
  permissions: Type.Record(Type.String(), Type.Object({ havePermission: Type.Boolean() })),
});
const Project = Type.Object({ key: Type.String() });
/** Resolution names of completed work in Jira. */
const DONE_RESOLUTIONS: readonly string[] = ['Done', 'Fixed', 'Completed', 'Resolved'];
const NEEDED = ['BROWSE_PROJECTS', 'CREATE_ISSUES', 'TRANSITION_ISSUES', 'ADD_COMMENTS'];

export function jiraTracker(settings: SettingsOf<'jira'>): Tracker {
  const http = new PlatformHttp(settings);
  const base = settings.url.replace(/\/+$/, '');
  const isCloud = settings.email !== undefined;
  const api = `${base}/rest/api/${isCloud ? 3 : 2}`;
  const headers = {
    accept: 'application/json',
    authorization: isCloud
      ? `Basic ${Buffer.from(`${settings.email}:${settings.token}`).toString('base64')}`
      : `Bearer ${settings.token}`,
    // Without this header, servers reject requests as possible cross-site request forgery.
    'x-atlassian-token': 'no-check',
  };

  async function send(method: HttpMessage['method'], path: string, body?: unknown, signal?: AbortSignal) {
    const content = body !== undefined && {
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const answer = await http.send({ method, url: `${api}${path}`, headers, ...content }, signal);
    // A request with a wrong token may be treated as anonymous; a search then finds nothing.
    const reason = answer.headers.get('x-seraph-loginreason') ?? '';
    return /FAILED|DENIED/.test(reason) ? { ...answer, status: 401 } : answer;
  }

  /** @param mark a separate last line that identifies a comment */
  const written = (blocks: readonly Block[], mark?: string): unknown => {
    const end = mark === undefined ? '' : `\n\n${mark}`;
    const wiki = (some: readonly Block[]): string => `${writeBlocks(some, WIKI)}${end}`;
    // The length of the wiki markup is an upper bound for that of the document.
    const kept = fitted(blocks, (some) => wiki(some).length, MAX_TEXT);
    return isCloud ? adfDocument(kept, mark) : wiki(kept);
  };

  async function* search(jql: string, turn: Turn) {
    const limit = new PageLimit('issues', turn);
    let count = 0;
    let token: string | undefined;
    let size = PAGE;
    for (;;) {
      limit.next(`${size} ${isCloud ? token : count}`);
      const page = isCloud ? token !== undefined && { nextPageToken: token } : { startAt: count };
      const body = { jql, fields: FIELDS, maxResults: size, ...page };
      const answer = await send('POST', isCloud ? '/search/jql' : '/search', body, turn.signal);
      if (answer.isCut && size > 1) {
        size = Math.floor(size / 2);
        continue;
      }
      const found = answer.status === 200 ? parsedAs(Found, answer.text) : undefined;
      if (found === undefined) throw new ReadError('the issues cannot be read', answer);
      yield* found.issues;
      count += found.issues.length;
      token = found.nextPageToken;
      if (isCloud ? token === undefined : found.issues.length === 0 || count >= (found.total ?? 0)) return;
    }
  }

  /** @throws Error, also for a project with a new key: Jira still answers under the old one */
  async function checkProject(signal?: AbortSignal): Promise<void> {
    const answer = await send('GET', `/project/${settings.project}`, undefined, signal);
    const found = answer.status === 200 ? parsedAs(Project, answer.text) : undefined;
    if (found === undefined) throw new ReadError(`the project ${settings.project} cannot be read`, answer);
    if (found.key !== settings.project)
      throw new Error(`the project ${settings.project} now has the key ${plainLine(found.key)}`);
    const query = `projectKey=${settings.project}&permissions=${NEEDED.join(',')}`;
    const asked = await send('GET', `/mypermissions?${query}`, undefined, signal);
    const has = asked.status === 200 ? parsedAs(Permissions, asked.text)?.permissions : undefined;
    if (has === undefined) throw new ReadError('the permissions cannot be read', asked);
    const lacking = NEEDED.filter((name) => has[name]?.havePermission !== true);
    if (lacking.length > 0) throw new Error(`the account lacks ${lacking.join(', ')} in ${settings.project}`);
  }

  const project = `project = "${settings.project}"`;
  /** The category *done* also contains statuses of issues that no one will do. */
  const isDone = ({ status, resolution }: Static<typeof Issue>['fields']): boolean => {
    const { closedStatus, doneResolutions = DONE_RESOLUTIONS } = settings;
    if (closedStatus !== undefined) return status.name === closedStatus;
    const wanted = resolution?.name.toLowerCase();
    return doneResolutions.some((name) => name.toLowerCase() === wanted);
  };
  const refOf = ({ id, key }: Static<typeof Made>): TicketRef => ({
    ...{ id, name: key, url: `${base}/browse/${key}` },
  });

  const find: Tracker['find'] = async (key, turn) => {
    for await (const issue of search(`${project} AND labels = "${key}" ORDER BY created DESC`, turn))
      if (issue.fields.labels?.includes(key)) return refOf(issue);
    return undefined;
  };

  // Without the right to browse, a search finds no ticket, and a second one would be created.
  const create = createWhenReady(checkProject, async (ticket, signal) => {
    const fields = {
      ...settings.fields,
      project: { key: settings.project },
      issuetype: { name: settings.issueType ?? 'Task' },
      summary: ticket.title,
      description: written(ticket.body),
      labels: [COMMON_LABEL, ...keysOf(ticket), ...(settings.labels ?? [])],
    };
    const answer = await send('POST', '/issue', { fields }, signal);
    const made = answer.status === 201 ? parsedAs(Made, answer.text) : undefined;
    return made === undefined ? creationRefusalOf(answer) : { result: 'created', ref: refOf(made) };
  });

  async function hasComment(path: string, eventId: string, turn: Turn): Promise<boolean> {
    const limit = new PageLimit('comments', turn);
    let size = PAGE;
    for (let count = 0; ; ) {
      limit.next(`${size} ${count}`);
      const query = `startAt=${count}&maxResults=${size}&orderBy=-created`;
      const answer = await send('GET', `${path}/comment?${query}`, undefined, turn.signal);
      if (answer.isCut && size > 1) {
        size = Math.floor(size / 2);
        continue;
      }
      const found = answer.status === 200 ? parsedAs(Comments, answer.text) : undefined;
      if (found === undefined) throw new ReadError('the comments cannot be read', answer);
      if (JSON.stringify(found.comments).includes(eventId)) return true;
      count += found.comments.length;
      if (found.comments.length === 0 || count >= found.total) return false;
    }
  }

  const change: Tracker['change'] = async ({ id, name }, made, turn) => {
    const { signal } = turn;
    const path = `/issue/${id}`;
    const answer = await send('GET', `${path}?fields=${FIELDS.join(',')}`, undefined, signal);
    if ([404, 410].includes(answer.status)) {
      // All issues may be inaccessible, so this proves nothing about the issue.
      await checkProject(signal);
      return { result: 'missing' };
    }
    const issue = answer.status === 200 ? parsedAs(Issue, answer.text) : undefined;
    if (issue === undefined) return refusalOf(answer);
    if (!issue.fields.labels?.includes(made.key)) return withoutKey(name, made.key);
    const isClosed = issue.fields.status.statusCategory.key === DONE;
    const wanted = made.kind === 'note' ? isClosed : made.kind === 'close';
    const transition = wanted === isClosed ? undefined : await transitionTo(path, wanted, signal);
    if (transition !== undefined && 'result' in transition) return transition;
    if (!(await hasComment(path, made.eventId, turn))) {
      const body = written(made.body, made.eventId);
      const noted = await send('POST', `${path}/comment`, { body }, signal);
      if (noted.status !== 201) return refusalOf(noted);
    }
    if (transition === undefined) return { result: 'changed' };
    const moved = await send('POST', `${path}/transitions`, { transition }, signal);
    return moved.status === 204 ? { result: 'changed' } : refusalOf(moved);
  };

  /** Ids of transitions depend on the project and the current status. */
  async function transitionTo(
    path: string,
    isClosed: boolean,
    signal?: AbortSignal,
  ): Promise<{ readonly id: string } | Exclude<Changed, { result: 'changed' }>> {
    const answer = await send('GET', `${path}/transitions`, undefined, signal);
    const found = answer.status === 200 ? parsedAs(Transitions, answer.text) : undefined;
    if (found === undefined) return refusalOf(answer);
    const name = isClosed ? settings.closedStatus : settings.openStatus;
    const leading = found.transitions.filter(({ to }) => (to.statusCategory.key === DONE) === isClosed);
    const fitting = leading.filter(({ to }) => name === undefined || to.name === name);
    const chosen = fitting.find(({ to }) => to.statusCategory.key === 'new') ?? fitting[0];
    if (chosen !== undefined) return { id: chosen.id };
    // An account without permission to move issues gets no transitions.
    await checkProject(signal);
    if (leading.length > 0) {
      const reason = `no ${isClosed ? 'closed' : 'open'} status named ${name} can be reached from the current one`;
      return { result: 'rejected', reason };
    }
    // A workflow without a way back needs a new ticket.
    return isClosed
      ? { result: 'rejected', reason: 'no transition of the issue leads to a status in the category done' }
      : { result: 'final' };
  }

  async function* reports(since: string | undefined, turn: Turn) {
    const now = turn.now();
    const from = Date.parse(since ?? '');
    // Searches read times in the time zone of the account; minutes relative to now avoid that.
    const minutes = Math.max(0, Math.ceil((now - from) / 60_000)) + OVERLAP_MINUTES;
    const changed = Number.isNaN(from) ? '' : ` AND updated >= "-${minutes}m"`;
    const jql = `${project} AND labels = "${COMMON_LABEL}"${changed} ORDER BY updated ASC`;
    for await (const { id, fields } of search(jql, turn)) {
      const { status, resolution } = fields;
      const isClosed = status.statusCategory.key === DONE;
      const at = instantOfJira(fields.resolutiondate ?? fields.statuscategorychangedate, now);
      const report: TicketReport = {
        ...{ id, labels: fields.labels ?? [], isClosed, isDone: isClosed && isDone(fields) },
        state: isClosed && resolution ? `${status.name} (${resolution.name})` : status.name,
        ...{ assignee: fields.assignee?.displayName ?? '', closedAt: isClosed ? (at ?? '') : '' },
      };
      yield [report, instantOfJira(fields.updated, now)] as const;
    }
  }

  return {
    ...{ kind: 'tracker', name: `Jira ${settings.project} at ${new URL(base).host}` },
    scope: `the Jira project ${settings.project} at ${base.replace(/^https?:\/\//, '').toLowerCase()}`,
    ...{ lagMs: LAG_MS, pauseMs: PAUSE_MS, find, create, change },
    async test(signal) {
      await checkProject(signal);
      const ask = (path: string) => send('GET', path, undefined, signal);
      await checkJiraFields(settings, ask);
      await checkJiraStatuses(settings, ask);
    },
    read: (since, turn) => readReports(since, reports(since, turn)),
    close: () => http.close(),
  };
}

const DONE = 'done';

/** Jira writes `+0000` for `+00:00`. */
const instantOfJira = (text: string | null | undefined, now: number): string | undefined =>
  instantOf(text?.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'), now);
