/**
 * The part of the REST API of Jira that tickets use, by its documentation: Cloud ("Jira Cloud platform REST API v3", searches by
 * `/search/jql`, "Atlassian Document Format", "Rate limiting") and Data Center ("JIRA REST API v2", personal access tokens).
 */
import type { WorkSettings } from '../../src/platforms/settings.ts';
import type { Answer, Received } from '../receiver.ts';
import { type ModelTicket, ModelTracker } from './modelSystem.ts';

const TOKEN = 'jira-secret-token';
const EMAIL = 'clew@example.com';
const LABEL = /^\S{1,255}$/;

interface Issue extends ModelTicket {
  readonly key: string;
  readonly labels: readonly string[];
  assignee: string | null;
  updated: string;
  resolved: string | null;
  resolution: string | null;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of requests are checked field by field.
type Json = any;

export class JiraModel extends ModelTracker {
  override readonly tickets: Issue[] = [];
  readonly isCloud: boolean;
  #count = 0;
  readonly indexLagMs = 60_000;
  /** The fields of the screen that creates a task. */
  readonly fields = ['project', 'issuetype', 'summary', 'description', 'labels', 'assignee'].map(
    (fieldId) => ({
      ...{ fieldId, name: fieldId, hasDefaultValue: false },
      required: ['project', 'issuetype', 'summary'].includes(fieldId),
    }),
  );
  readonly secrets = [TOKEN, Buffer.from(`${EMAIL}:${TOKEN}`).toString('base64')];

  constructor(isCloud: boolean) {
    super();
    this.isCloud = isCloud;
  }

  settings(url: string): WorkSettings {
    return {
      ...{ type: 'jira', url: `${url}/`, project: 'SEC', token: TOKEN, issueType: 'Task' },
      ...(this.isCloud && { email: EMAIL }),
    };
  }

  close(ticket: ModelTicket, by: string): void {
    const at = this.#now();
    Object.assign(ticket, {
      ...{ isClosed: true, updated: at, resolved: at, assignee: by || null },
      resolution: 'Done',
    });
  }

  dismiss(ticket: ModelTicket): void {
    this.close(ticket, 'bob');
    Object.assign(ticket, { resolution: "Won't Do" });
  }

  open(ticket: ModelTicket): void {
    Object.assign(ticket, { isClosed: false, updated: this.#now(), resolved: null, resolution: null });
  }

  /** Jira writes `+0000`. */
  #now = (): string => this.tick().replace('Z', '.000+0000');

  answer({ method, path, headers, body }: Received): Answer {
    const expected = this.isCloud ? `Basic ${this.secrets[1]}` : `Bearer ${TOKEN}`;
    if (headers.authorization !== expected)
      return { status: 401, headers: { 'x-seraph-loginreason': 'AUTHENTICATED_FAILED' } };
    if (method === 'POST') {
      if (headers['x-atlassian-token'] !== 'no-check') return { status: 403, body: 'XSRF check failed' };
      if (headers['content-type'] !== 'application/json') return { status: 415 };
    }
    const url = new URL(path, 'http://x');
    const prefix = `/rest/api/${this.isCloud ? 3 : 2}`;
    if (!url.pathname.startsWith(prefix)) return { status: 404 };
    const place = url.pathname.slice(prefix.length);
    const json = body === '' ? undefined : JSON.parse(body);
    if (place === '/project/SEC')
      return this.isAway === 'hidden'
        ? { status: 404 }
        : { status: 200, body: { key: this.isAway === 'renamed' ? 'OPS' : 'SEC' } };
    if (place.startsWith('/issue/createmeta/SEC/issuetypes') && method === 'GET')
      return this.#creation(place.slice('/issue/createmeta/SEC/issuetypes'.length), url.searchParams);
    if (place === '/project/SEC/statuses')
      return { status: 200, body: [{ id: '10002', name: 'Task', statuses: Object.values(STATUS) }] };
    if (place === '/user/assignable/search') return this.#assignable(url.searchParams);
    if (place === '/mypermissions') return this.#permissions(url.searchParams);
    if (method === 'POST' && place === (this.isCloud ? '/search/jql' : '/search')) return this.#search(json);
    if (method === 'POST' && place === '/issue') return this.#create(json.fields);
    const [, id, part] = /^\/issue\/(\d+)(?:\/(comment|transitions))?$/.exec(place) ?? [];
    const issue = this.isAway ? undefined : this.tickets.find((one) => one.id === id);
    if (issue === undefined) return { status: 404, body: { errorMessages: ['Issue does not exist'] } };
    if (part === undefined) return { status: 200, body: this.#record(issue) };
    return part === 'comment' ? this.#comment(issue, method, json) : this.#transition(issue, method, json);
  }

  #permissions(query: URLSearchParams): Answer {
    const names = (query.get('permissions') ?? '').split(',');
    this.demand(query.get('projectKey') === 'SEC' && names[0] !== '', 'permissions are named');
    const permissions = Object.fromEntries(names.map((name) => [name, { havePermission: true }]));
    return { status: 200, body: { permissions } };
  }

  /** The issue types of the project, and the fields of its only one, in pages. */
  #creation(id: string, query: URLSearchParams): Answer {
    const entries =
      id === ''
        ? [
            { id: '10001', name: 'Bug' },
            { id: '10002', name: 'Task' },
          ]
        : this.fields;
    if (id !== '' && id !== '/10002') return { status: 404 };
    const startAt = Number(query.get('startAt'));
    const name = this.isCloud ? (id === '' ? 'issueTypes' : 'fields') : 'values';
    const found = entries.slice(startAt, startAt + 2);
    return { status: 200, body: { startAt, maxResults: 2, total: entries.length, [name]: found } };
  }

  #assignable(query: URLSearchParams): Answer {
    this.demand(query.get('project') === 'SEC', 'users are those of the project');
    const wanted = query.get(this.isCloud ? 'accountId' : 'username') ?? '';
    // Servers also find parts of names.
    const found = wanted !== '' && 'alice'.startsWith(wanted);
    const user = this.isCloud ? { accountId: 'alice' } : { name: 'alice' };
    return { status: 200, body: found && (!this.isCloud || wanted === 'alice') ? [user] : [] };
  }

  #search(json: Json): Answer {
    this.demand(Array.isArray(json.fields) && json.fields.includes('status'), 'fields of a search are named');
    const { jql } = json as { jql: string };
    this.demand(jql.startsWith('project = "SEC" AND labels = "'), 'a search is of the project and a label');
    const [where = '', order] = jql.split(' ORDER BY ');
    this.demand(/^(?:created DESC|updated ASC)$/.test(order ?? ''), 'a search has an order');
    // Other times are interpreted in the time zone of the account.
    const form = /^project = "SEC" AND labels = "([^"]+)"(?: AND updated >= "-(\d+)m")?$/;
    const [isForm, label = '', minutes] = form.exec(where) ?? [];
    this.demand(isForm !== undefined, 'instants are minutes before now');
    const since = minutes === undefined ? 0 : this.instant - Number(minutes) * 60_000;
    const found = this.tickets
      .filter((one) => one.labels.includes(label) && Date.parse(one.updated) >= since && this.isIndexed(one))
      .toSorted(order === 'created DESC' ? (a, b) => b.madeAt - a.madeAt : byUpdated)
      .map((one) => this.#record(one));
    if (!this.isCloud) {
      const startAt = json.startAt ?? 0;
      return {
        status: 200,
        body: { startAt, total: found.length, issues: found.slice(startAt, startAt + 1) },
      };
    }
    this.demand(json.startAt === undefined, 'pages of the cloud have tokens');
    const at = Number(json.nextPageToken ?? 0);
    const more = at + 1 < found.length ? { nextPageToken: String(at + 1) } : { isLast: true };
    return { status: 200, body: { issues: found.slice(at, at + 1), ...more } };
  }

  #create(fields: Json): Answer {
    const faults = [
      ...(fields.project?.key === 'SEC' ? [] : ['project']),
      ...(typeof fields.issuetype?.name === 'string' ? [] : ['issuetype']),
      ...(/^[^\n]{1,255}$/.test(fields.summary ?? '') ? [] : ['summary']),
      ...(fields.labels.every((label: string) => LABEL.test(label)) ? [] : ['labels']),
      ...(this.#isText(fields.description) ? [] : ['description']),
    ];
    if (faults.length > 0) return { status: 400, body: { errors: faults } };
    const number = ++this.#count;
    const issue: Issue = {
      ...{ id: String(10_000 + number), key: `SEC-${number}`, title: fields.summary, labels: fields.labels },
      ...{ body: textOf(fields.description), isClosed: false, comments: [], assignee: null },
      ...{ madeAt: this.instant, updated: this.#now(), resolved: null, resolution: null },
    };
    this.tickets.push(issue);
    return { status: 201, body: { id: issue.id, key: issue.key, self: 'x' } };
  }

  /** Documents in the cloud, text elsewhere; at most 32,767 characters. */
  #isText(value: Json): boolean {
    if (!this.isCloud) return typeof value === 'string' && value.length <= 32_767;
    return value?.type === 'doc' && value.version === 1 && isNode(value) && textOf(value).length <= 32_767;
  }

  #comment(issue: Issue, method: string, json: Json): Answer {
    if (method === 'GET') {
      const comments = issue.comments.map((body) => ({ body }));
      return { status: 200, body: { startAt: 0, total: comments.length, comments } };
    }
    if (!this.#isText(json.body)) return { status: 400, body: { errors: ['comment'] } };
    issue.comments.push(textOf(json.body));
    issue.updated = this.#now();
    return { status: 201, body: { id: '1' } };
  }

  /** Ids differ by status. */
  #transition(issue: Issue, method: string, json: Json): Answer {
    const offered = issue.isClosed
      ? [{ id: '71', to: STATUS.open }]
      : [
          { id: '21', to: STATUS.progress },
          { id: '31', to: STATUS.done },
        ];
    if (method === 'GET') return { status: 200, body: { transitions: offered } };
    const chosen = offered.find(({ id }) => id === json.transition?.id);
    if (chosen === undefined) return { status: 400, body: { errorMessages: ['not a transition'] } };
    if (chosen.to === STATUS.done) this.close(issue, issue.assignee ?? '');
    else this.open(issue);
    return { status: 204 };
  }

  #record(issue: Issue) {
    const { id, key, labels, assignee, updated, resolved, isClosed } = issue;
    const fields = {
      labels,
      ...{ status: isClosed ? STATUS.done : STATUS.open, updated, resolutiondate: resolved },
      resolution: issue.resolution === null ? null : { name: issue.resolution },
      assignee: assignee === null ? null : { displayName: assignee },
    };
    return { id, key, fields };
  }
}

const byUpdated = (one: Issue, other: Issue): number => Date.parse(one.updated) - Date.parse(other.updated);

const STATUS = {
  open: { name: 'To Do', statusCategory: { key: 'new' } },
  progress: { name: 'In Progress', statusCategory: { key: 'indeterminate' } },
  done: { name: 'Done', statusCategory: { key: 'done' } },
};

const CONTENT = ['doc', 'paragraph', 'heading', 'bulletList', 'listItem'];

/** Known node types with texts that are not empty. */
function isNode(node: Json): boolean {
  if (node.type === 'text') return typeof node.text === 'string' && node.text !== '';
  return CONTENT.includes(node.type) && Array.isArray(node.content) && node.content.every(isNode);
}

/** Text for a reader: decodes entities of wiki markup. */
function textOf(node: Json): string {
  if (typeof node === 'string') return node.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
  const link = node.marks?.[0]?.attrs?.href ?? '';
  return node.type === 'text'
    ? `${node.text}${link}`
    : node.content.map(textOf).join(node.type === 'paragraph' ? '' : '\n');
}
