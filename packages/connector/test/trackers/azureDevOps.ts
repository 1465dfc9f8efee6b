/**
 * The part of the REST API of Azure DevOps that tickets use, by its documentation (version 7.0): "Work Items", "Wiql", "Comments", "Work Item
 * Type States", "Projects", "Query language syntax".
 */
import type { WorkSettings } from '../../src/platforms/settings.ts';
import type { Answer, Received } from '../receiver.ts';
import { type ModelTicket, ModelTracker } from './modelSystem.ts';

const TOKEN = 'azure-secret-token';
const STATES = [
  { name: 'To Do', category: 'Proposed' },
  { name: 'Doing', category: 'InProgress' },
  { name: 'Done', category: 'Completed' },
  { name: 'Dropped', category: 'Removed' },
];

interface Item extends ModelTicket {
  readonly number: number;
  rev: number;
  state: string;
  changed: string;
  stateChanged: string;
  assignee: string | null;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of requests are checked field by field.
type Json = any;

export class AzureDevOpsModel extends ModelTracker {
  override readonly tickets: Item[] = [];
  readonly secrets = [TOKEN, Buffer.from(`:${TOKEN}`).toString('base64')];
  readonly indexLagMs = 30_000;
  /** Items can be moved to other projects. */
  projectOf: (item: Item) => string = () => 'SEC';
  /** The account sees them nowhere: their area is closed to it, or they were deleted for good. */
  readonly unreadable = new Set<number>();
  #count = 0;

  settings(url: string): WorkSettings {
    return { type: 'azure-devops', url: `${url}/acme/`, project: 'SEC', token: TOKEN, tags: ['security'] };
  }

  close(ticket: ModelTicket, by: string): void {
    this.#move(ticket as Item, 'Done');
    Object.assign(ticket, { assignee: by || null });
  }

  dismiss(ticket: ModelTicket): void {
    this.#move(ticket as Item, 'Dropped');
  }

  open(ticket: ModelTicket): void {
    this.#move(ticket as Item, 'To Do');
  }

  #move(item: Item, state: string): void {
    const at = this.tick();
    const isClosed = state === 'Done' || state === 'Dropped';
    Object.assign(item, { state, isClosed, changed: at, stateChanged: at, rev: item.rev + 1 });
  }

  answer({ method, path, headers, body }: Received): Answer {
    if (headers.authorization !== `Basic ${this.secrets[1]}`) return { status: 203, body: '<html>Sign in' };
    const url = new URL(path, 'http://x');
    if (!/^7\.0(-preview\.3)?$/.test(url.searchParams.get('api-version') ?? ''))
      return { status: 400, body: { message: 'No api-version was supplied' } };
    const json = body === '' ? undefined : JSON.parse(body);
    if (json !== undefined) {
      const type = Array.isArray(json) ? 'application/json-patch+json' : 'application/json';
      if (headers['content-type'] !== type) return { status: 415 };
    }
    const place = decodeURIComponent(url.pathname);
    if (this.isAway === 'hidden') return { status: 404, body: { message: 'TF200016: not found' } };
    if (place === '/acme/_apis/projects/SEC')
      return { status: 200, body: { id: 'x', name: this.isAway === 'renamed' ? 'OPS' : 'SEC' } };
    const [, id] = /^\/acme\/_apis\/wit\/workitems\/(\d+)$/.exec(place) ?? [];
    if (id !== undefined) return this.#item(Number(id), method, json);
    const [, lost] = /^\/acme\/SEC\/_apis\/wit\/recyclebin\/(\d+)$/.exec(place) ?? [];
    if (lost !== undefined) return this.#deleted(Number(lost));
    const [, of] = /^\/acme\/SEC\/_apis\/wit\/workItems\/(\d+)\/comments$/.exec(place) ?? [];
    if (of !== undefined) return this.#comments(Number(of), url.searchParams);
    switch (place) {
      case '/acme/SEC/_apis/wit/wiql':
        return this.#query(json.query, url.searchParams);
      case '/acme/SEC/_apis/wit/workitems':
        return this.#batch(url.searchParams);
      case '/acme/SEC/_apis/wit/workitems/$Task':
        return this.#create(json, url.searchParams.get('validateOnly') === 'true');
      case '/acme/SEC/_apis/wit/workitemtypes/Task/states':
        return { status: 200, body: { count: STATES.length, value: STATES } };
    }
    return { status: 404, body: { message: 'not found' } };
  }

  /** Returns only numbers. */
  #query(text: string, query: URLSearchParams): Answer {
    const form =
      /^SELECT \[System.Id\] FROM WorkItems WHERE \[System.TeamProject\] = @project AND \[System.Tags\] CONTAINS '([a-z0-9-]+)'(?: AND \[System.ChangedDate\] >= '([^']+)')? ORDER BY \[System.(CreatedDate\] DESC|ChangedDate\] ASC)$/;
    const [isForm, tag = '', since, order] = form.exec(text) ?? [];
    this.demand(isForm !== undefined, 'a query of the project and a tag');
    this.demand(since === undefined || query.get('timePrecision') === 'true', 'instants need time precision');
    this.demand(Number(query.get('$top')) < 20_000, 'a query has at most 20,000 results');
    const found = this.tickets
      .filter((one) => one.labels.includes(tag) && this.isIndexed(one) && !this.unreadable.has(one.number))
      .filter(({ changed }) => since === undefined || Date.parse(changed) >= Date.parse(since))
      .toSorted((a, b) =>
        order === 'ChangedDate] ASC' ? (a.changed < b.changed ? -1 : 1) : b.number - a.number,
      );
    return { status: 200, body: { workItems: found.map(({ number }) => ({ id: number, url: 'x' })) } };
  }

  #batch(query: URLSearchParams): Answer {
    const ids = (query.get('ids') ?? '').split(',').map(Number);
    if (ids.length > 200) return { status: 400, body: { message: 'VS403474: at most 200' } };
    const items = ids.map((id) => this.#found(id));
    if (query.get('errorPolicy') !== 'omit' && items.includes(undefined)) return { status: 404 };
    const fields = (query.get('fields') ?? '').split(',');
    const value = items.map((item) => (item === undefined ? null : this.#record(item, fields)));
    return { status: 200, body: { count: value.length, value } };
  }

  #create(patch: Json, isTrial: boolean): Answer {
    const fields = this.#fieldsOf(patch);
    const title = fields['System.Title'];
    if (typeof title !== 'string' || title === '' || title.length > 255)
      return { status: 400, body: { message: 'TF401320: Rule Error for field Title' } };
    const html = String(fields['System.Description']);
    this.demand(!/<(?!\/?(?:p|h3|ul|li|a)\b)/.test(html), 'known elements');
    const at = this.tick();
    const item: Item = {
      ...{ id: String(this.#count + 1), number: this.#count + 1, rev: 1, title, body: textOf(html) },
      labels: String(fields['System.Tags']).split('; '),
      ...{
        isClosed: false,
        state: 'To Do',
        comments: [],
        madeAt: this.instant,
        changed: at,
        stateChanged: at,
      },
      assignee: null,
    };
    if (!isTrial) {
      this.#count++;
      this.tickets.push(item);
    }
    return { status: 200, body: this.#record(item) };
  }

  #found(id: number): Item | undefined {
    return this.unreadable.has(id) ? undefined : this.tickets.find(({ number }) => number === id);
  }

  /** Items that were deleted, and not for good. */
  #deleted(id: number): Answer {
    const isDeleted = id <= this.#count && !this.unreadable.has(id) && this.#found(id) === undefined;
    if (!isDeleted) return { status: 404, body: { message: 'TF401232: does not exist' } };
    return { status: 200, body: { id, type: 'Task', project: 'SEC' } };
  }

  #item(id: number, method: string, patch: Json): Answer {
    const item = this.#found(id);
    if (item === undefined) return { status: 404, body: { message: 'TF401232: does not exist' } };
    if (method === 'GET') return { status: 200, body: this.#record(item) };
    const [test, ...rest] = patch;
    this.demand(test.op === 'test' && test.path === '/rev', 'a change is of a revision');
    if (test.value !== item.rev) return { status: 412, body: { message: 'VS403351: test failed' } };
    const fields = this.#fieldsOf(rest);
    const state = fields['System.State'];
    if (state !== undefined && !STATES.some(({ name }) => name === state))
      return { status: 400, body: { message: 'TF401320: Rule Error for field State' } };
    const said = fields['System.History'];
    item.changed = this.tick();
    item.rev++;
    if (said !== undefined) item.comments.push(textOf(String(said)));
    if (state !== undefined) this.#move(item, String(state));
    return { status: 200, body: this.#record(item) };
  }

  #comments(id: number, query: URLSearchParams): Answer {
    const item = this.tickets.find(({ number }) => number === id);
    if (item === undefined) return { status: 404 };
    this.demand(Number(query.get('$top')) <= 200, 'a page of comments has at most 200');
    const at = Number(query.get('continuationToken') ?? 0);
    const comments = item.comments
      .toReversed()
      .slice(at, at + 1)
      .map((text) => ({ text }));
    const more = at + 1 < item.comments.length ? { continuationToken: String(at + 1) } : {};
    return {
      status: 200,
      body: { totalCount: item.comments.length, count: comments.length, comments, ...more },
    };
  }

  #fieldsOf(patch: Json): Record<string, unknown> {
    this.demand(
      patch.every(({ op, path }: Json) => op === 'add' && path.startsWith('/fields/')),
      'a patch adds fields',
    );
    return Object.fromEntries(patch.map(({ path, value }: Json) => [path.slice('/fields/'.length), value]));
  }

  #record(item: Item, wanted?: readonly string[]) {
    const fields = {
      'System.State': item.state,
      'System.WorkItemType': 'Task',
      'System.TeamProject': this.isAway === 'renamed' ? 'OPS' : this.projectOf(item),
      'System.ChangedDate': item.changed,
      'System.Tags': item.labels.toSorted().join('; '),
      'Microsoft.VSTS.Common.StateChangeDate': item.stateChanged,
      ...(item.assignee !== null && { 'System.AssignedTo': { displayName: item.assignee } }),
    };
    const shown = Object.entries(fields).filter(([name]) => wanted?.includes(name) !== false);
    return { id: item.number, rev: item.rev, fields: Object.fromEntries(shown) };
  }
}

const SIGNS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Text for a reader, with the addresses of links. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<a href="([^"]*)">/g, '$1 ')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, sign) => SIGNS[sign] ?? '');
