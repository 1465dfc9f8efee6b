/**
 * The part of the REST API of GitHub that tickets use, by its documentation (version 2022-11-28): "REST API endpoints for issues",
 * "issue comments", "Rate limits for the REST API", "Best practices".
 */
import type { WorkSettings } from '../../src/platforms/settings.ts';
import type { Answer, Received } from '../receiver.ts';
import { type ModelTicket, ModelTracker } from './modelSystem.ts';

const TOKEN = 'github-secret-token';

interface Issue extends ModelTicket {
  readonly number: number;
  body: string;
  updatedAt: string;
  closedAt: string | null;
  reason: string | null;
  assignee: string | null;
  readonly labels: readonly string[];
}

export class GitHubModel extends ModelTracker {
  override readonly tickets: Issue[] = [];
  readonly secrets = [TOKEN];
  mayPush = true;
  /** Pages may be shorter than requested. */
  mostOfPage = 100;
  readonly indexLagMs = 15_000;
  #count = 0;

  settings(url: string): WorkSettings {
    return { type: 'github', repository: 'acme/infra', token: TOKEN, url, labels: ['security'] };
  }

  close(ticket: ModelTicket, by: string): void {
    const at = this.tick();
    Object.assign(ticket, { isClosed: true, closedAt: at, updatedAt: at, reason: 'completed', assignee: by });
  }

  dismiss(ticket: ModelTicket): void {
    this.close(ticket, 'bob');
    Object.assign(ticket, { reason: 'not_planned' });
  }

  open(ticket: ModelTicket): void {
    Object.assign(ticket, { isClosed: false, closedAt: null, updatedAt: this.tick(), reason: 'reopened' });
  }

  answer({ method, path, headers, body }: Received): Answer {
    if (headers.authorization !== `Bearer ${TOKEN}`)
      return { status: 401, body: { message: 'Bad credentials' } };
    if (!headers['user-agent'])
      return { status: 403, body: { message: 'Request forbidden by administrative rules' } };
    this.demand(headers.accept === 'application/vnd.github+json', 'accept');
    this.demand(headers['x-github-api-version'] === '2022-11-28', 'version');
    const url = new URL(path, 'http://x');
    const json = body === '' ? undefined : JSON.parse(body);
    if (json !== undefined) this.demand(headers['content-type'] === 'application/json', 'content type');
    if (this.isAway === 'renamed') return { status: 301, body: { message: 'Moved Permanently' } };
    if (this.isAway === 'hidden') return { status: 404, body: { message: 'Not Found' } };
    const [, number, part] =
      /^\/repos\/acme\/infra\/issues(?:\/(\d+)(\/comments)?)?$/.exec(url.pathname) ?? [];
    if (url.pathname === '/repos/acme/infra')
      return {
        status: 200,
        body: {
          full_name: 'Acme/infra',
          has_issues: true,
          archived: false,
          permissions: { push: this.mayPush },
        },
      };
    if (!url.pathname.startsWith('/repos/acme/infra/issues'))
      return { status: 404, body: { message: 'Not Found' } };
    if (number === undefined) return method === 'GET' ? this.#list(url.searchParams) : this.#create(json);
    const issue = this.tickets.find((one) => one.number === Number(number));
    if (issue === undefined) return { status: 404, body: { message: 'Not Found' } };
    if (part !== undefined) {
      if (method === 'GET')
        return {
          ...this.#pageOf(
            issue.comments.map((text) => ({ body: text })),
            url.searchParams,
          ),
        };
      issue.comments.push(json.body);
      issue.updatedAt = this.tick();
      return { status: 201, body: { id: issue.comments.length, body: json.body } };
    }
    if (method === 'PATCH') {
      this.demand(['open', 'closed'].includes(json.state), 'state');
      this.demand(
        ['completed', 'not_planned', 'duplicate', 'reopened'].includes(json.state_reason),
        'state_reason',
      );
      if (json.state === 'closed') this.close(issue, issue.assignee ?? '');
      else this.open(issue);
    }
    return { status: 200, body: recordOf(issue) };
  }

  #list(query: URLSearchParams): Answer {
    const label = query.get('labels') ?? '';
    this.demand(query.get('state') === 'all' && /^clew(-[0-9a-f-]+)?$/.test(label), 'a list of own issues');
    const since = query.get('since') ?? '';
    const by = query.get('sort') === 'updated' ? 'updatedAt' : 'number';
    const found = this.tickets
      .filter((one) => one.labels.includes(label) && one.updatedAt >= since && this.isIndexed(one))
      .toSorted((a, b) => (a[by] < b[by] ? -1 : 1));
    const ordered = query.get('direction') === 'asc' ? found : found.reverse();
    return this.#pageOf(ordered.map(recordOf), query);
  }

  #pageOf(all: readonly object[], query: URLSearchParams): Answer {
    const size = Math.min(Number(query.get('per_page') ?? 30), this.mostOfPage);
    const page = Number(query.get('page') ?? 1);
    const other = `<https://api.github.example/x?page=1>; rel="first"`;
    const link = `${other}, <https://api.github.example/x?per_page=${size}&page=${page + 1}>; rel="next"`;
    return {
      status: 200,
      body: all.slice((page - 1) * size).slice(0, size),
      headers: { link: page * size < all.length ? link : other },
    };
  }

  #create(json: Record<string, unknown>): Answer {
    const { title, body, labels } = json as { title: unknown; body: unknown; labels: string[] };
    if (typeof title !== 'string' || title === '' || title.length > 256 || String(body).length > 65_536)
      return { status: 422, body: { message: 'Validation Failed' } };
    const number = ++this.#count;
    const at = this.tick();
    const issue: Issue = {
      ...{ id: String(number), number, title, body: String(body), isClosed: false, comments: [], labels },
      ...{ madeAt: this.instant, updatedAt: at, closedAt: null, reason: null, assignee: null },
    };
    this.tickets.push(issue);
    return { status: 201, body: recordOf(issue) };
  }
}

const recordOf = (issue: Issue) => ({
  ...{ number: issue.number, html_url: `https://github.example/acme/infra/issues/${issue.number}` },
  labels: issue.labels.map((name) => ({ name })),
  ...{ title: issue.title, body: issue.body, state: issue.isClosed ? 'closed' : 'open' },
  ...{ state_reason: issue.reason, updated_at: issue.updatedAt, closed_at: issue.closedAt },
  assignee: issue.assignee === null ? null : { login: issue.assignee },
});
