/**
 * Work items of Azure DevOps (REST version 7.0). Tickets are found by a tag with the key. A comment and a state are written by
 * one patch, which applies only to the revision that was read. Rule: `docs/integration.md#azure-devops`.
 */
import Type, { type Static } from 'typebox';
import { type HttpAnswer, type HttpMessage, PlatformHttp } from '../../platforms/http.ts';
import type { SettingsOf } from '../../platforms/settings.ts';
import { parsedAs } from '../../schemaFaults.ts';
import { createWhenReady, creationRefusalOf, ReadError, refusalOf } from '../answers.ts';
import { type Block, fittedText, plainLine } from '../blocks.ts';
import { instantOf } from '../instants.ts';
import { HTML } from '../markup/html.ts';
import { PageLimit, readReports } from '../pages.ts';
import { COMMON_LABEL } from '../repairs.ts';
import type { Changed, Refused, TicketRef, TicketReport, Tracker, Turn } from '../workSystem.ts';
import { createdWith, keysOf, withoutKey } from '../workSystem.ts';

const VERSION = 'api-version=7.0';
const COMMENTS_VERSION = 'api-version=7.0-preview.3';
/** Maximum number of characters of a text. */
const MAX_TEXT = 32_000;
/** Work items per request. */
const PAGE = 200;
/** A query with more results is an error. */
const MAX_FOUND = 20_000;
const PAUSE_MS = 200;
/** A read replica may answer queries. */
const LAG_MS = 60_000;
/** Names of states that a reason lists. */
const MAX_NAMES = 20;
/** Before the last read: a copy may show a change late. */
const OVERLAP_MS = 5 * 60_000;

const Item = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  rev: Type.Integer({ minimum: 1 }),
  fields: Type.Object({
    'System.State': Type.String(),
    'System.WorkItemType': Type.String(),
    'System.TeamProject': Type.String(),
    'System.ChangedDate': Type.String(),
    'System.Tags': Type.Optional(Type.String()),
    'System.AssignedTo': Type.Optional(Type.Object({ displayName: Type.String() })),
    'Microsoft.VSTS.Common.StateChangeDate': Type.Optional(Type.String()),
  }),
});
type Item = Static<typeof Item>;
const FIELDS = Object.keys(Item.properties.fields.properties).join(',');
const Items = Type.Object({ value: Type.Array(Type.Union([Item, Type.Null()])) });
const Found = Type.Object({ workItems: Type.Array(Type.Object({ id: Type.Integer({ minimum: 1 }) })) });
const Comments = Type.Object({
  comments: Type.Array(Type.Object({ text: Type.Optional(Type.String()) })),
  continuationToken: Type.Optional(Type.String()),
});
const States = Type.Object({
  value: Type.Array(Type.Object({ name: Type.String(), category: Type.String() })),
});
type State = Static<typeof States>['value'][number];
const Project = Type.Object({ name: Type.String() });
const Deleted = Type.Object({ id: Type.Union([Type.Integer(), Type.String()]) });

/** Categories of closed states; the second one is for work that no one will do. */
const CLOSED: readonly string[] = ['Completed', 'Removed'];
const DONE = 'Completed';
/** Categories for reopened tickets, in order of preference. */
const OPEN = ['Proposed', 'InProgress'];
/** Answers of the recycle bin for an item that it does not have, or does not show. */
const NOT_THERE = [403, 404, 410];

type ChosenState =
  | { readonly result: 'chosen'; readonly name: string }
  | { readonly result: 'final' }
  | Refused;

export function azureDevOpsTracker(settings: SettingsOf<'azure-devops'>): Tracker {
  const http = new PlatformHttp(settings);
  const base = settings.url.replace(/\/+$/, '');
  const project = `${base}/${encodeURIComponent(settings.project)}`;
  const itemType = settings.workItemType ?? 'Task';
  const authorization = `Basic ${Buffer.from(`:${settings.token}`).toString('base64')}`;
  const statesOfTypes = new Map<string, readonly State[]>();

  async function send(
    method: HttpMessage['method'],
    url: string,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<HttpAnswer> {
    const type = Array.isArray(body) ? 'application/json-patch+json' : 'application/json';
    const content = body !== undefined && { 'content-type': type };
    const headers = { accept: 'application/json', authorization, ...content };
    const answer = await http.send(
      { method, url, headers, ...(body !== undefined && { body: JSON.stringify(body) }) },
      signal,
    );
    // With an invalid token, the answer is the sign-in page.
    return [203, 302].includes(answer.status) ? { ...answer, status: 401 } : answer;
  }

  /** @throws Error, also for a renamed project */
  async function checkProject(signal?: AbortSignal): Promise<void> {
    const url = `${base}/_apis/projects/${encodeURIComponent(settings.project)}?${VERSION}`;
    const answer = await send('GET', url, undefined, signal);
    const found = answer.status === 200 ? parsedAs(Project, answer.text) : undefined;
    if (found === undefined) throw new ReadError(`the project ${settings.project} cannot be read`, answer);
    if (found.name.toLowerCase() !== settings.project.toLowerCase())
      throw new Error(`the project ${settings.project} is now named ${plainLine(found.name)}`);
  }

  async function statesOf(type: string, signal?: AbortSignal): Promise<readonly State[]> {
    const known = statesOfTypes.get(type);
    if (known !== undefined) return known;
    const url = `${project}/_apis/wit/workitemtypes/${encodeURIComponent(type)}/states?${VERSION}`;
    const answer = await send('GET', url, undefined, signal);
    const found = answer.status === 200 ? parsedAs(States, answer.text)?.value : undefined;
    if (found === undefined) throw new ReadError(`the states of ${plainLine(type)} cannot be read`, answer);
    statesOfTypes.set(type, found);
    return found;
  }

  async function categoryOf({ fields }: Item, signal?: AbortSignal): Promise<string> {
    const states = await statesOf(fields['System.WorkItemType'], signal);
    return states.find(({ name }) => name === fields['System.State'])?.category ?? '';
  }

  /** @param mark a separate last line that identifies a comment */
  const written = (blocks: readonly Block[], mark?: string): string =>
    fittedText(blocks, HTML, MAX_TEXT, mark === undefined ? '' : `\n<p>${mark}</p>`);

  /** Work items with a tag, in the order of the query. Queries return only numbers. */
  async function* query(tag: string, rest: string, turn: Turn): AsyncGenerator<Item> {
    const text = `SELECT [System.Id] FROM WorkItems WHERE [System.TeamProject] = @project AND [System.Tags] CONTAINS '${tag}'${rest}`;
    const url = `${project}/_apis/wit/wiql?timePrecision=true&$top=${MAX_FOUND - 1}&${VERSION}`;
    const answer = await send('POST', url, { query: text }, turn.signal);
    const found = answer.status === 200 ? parsedAs(Found, answer.text) : undefined;
    if (found === undefined) throw new ReadError('the work items cannot be found', answer);
    const limit = new PageLimit('work items', turn);
    let ids = found.workItems.map(({ id }) => id);
    let size = PAGE;
    while (ids.length > 0) {
      const some = ids.slice(0, size);
      const page = `ids=${some.join(',')}&fields=${FIELDS}&errorPolicy=omit`;
      limit.next(page);
      const read = await send(
        'GET',
        `${project}/_apis/wit/workitems?${page}&${VERSION}`,
        undefined,
        turn.signal,
      );
      if (read.isCut && some.length > 1) {
        size = Math.floor(some.length / 2);
        continue;
      }
      const items = read.status === 200 ? parsedAs(Items, read.text)?.value : undefined;
      if (items === undefined) throw new ReadError('the work items cannot be read', read);
      const byId = new Map(items.flatMap((item) => (item === null ? [] : [[item.id, item] as const])));
      yield* some.flatMap((id) => byId.get(id) ?? []);
      ids = ids.slice(size);
    }
  }

  const refOf = ({ id }: Item): TicketRef => ({
    ...{ id: String(id), name: `${settings.project}#${id}`, url: `${project}/_workitems/edit/${id}` },
  });

  const find: Tracker['find'] = async (key, turn) => {
    for await (const item of query(key, ' ORDER BY [System.CreatedDate] DESC', turn))
      if (tagsOf(item).includes(key)) return refOf(item);
    return undefined;
  };

  const create = createWhenReady(checkProject, async (ticket, signal) => {
    const fields = {
      ...settings.fields,
      'System.Title': ticket.title,
      'System.Description': written(ticket.body),
      'System.Tags': [COMMON_LABEL, ...keysOf(ticket), ...(settings.tags ?? [])].join('; '),
    };
    const url = `${project}/_apis/wit/workitems/$${encodeURIComponent(itemType)}?${VERSION}`;
    const answer = await send('POST', url, patchOf(fields), signal);
    const made = answer.status === 200 ? parsedAs(Item, answer.text) : undefined;
    if (made === undefined) return creationRefusalOf(answer);
    return createdWith(tagsOf(made), refOf(made), ticket);
  });

  async function hasComment(id: string, eventId: string, turn: Turn): Promise<boolean> {
    const limit = new PageLimit('comments', turn);
    let size = PAGE;
    for (let token = ''; ; ) {
      limit.next(`${size} ${token}`);
      const page = `$top=${size}&order=desc&${token === '' ? '' : `continuationToken=${encodeURIComponent(token)}&`}`;
      const url = `${project}/_apis/wit/workItems/${id}/comments?${page}${COMMENTS_VERSION}`;
      const answer = await send('GET', url, undefined, turn.signal);
      if (answer.isCut && size > 1) {
        size = Math.floor(size / 2);
        continue;
      }
      const found = answer.status === 200 ? parsedAs(Comments, answer.text) : undefined;
      if (found === undefined) throw new ReadError('the comments cannot be read', answer);
      if (found.comments.some(({ text }) => text?.includes(eventId))) return true;
      token = found.continuationToken ?? '';
      if (token === '') return false;
    }
  }

  const change: Tracker['change'] = async ({ id, name }, made, turn) => {
    const { signal } = turn;
    // The address without a project also finds an item that was moved to another one.
    const url = `${base}/_apis/wit/workitems/${id}?`;
    const answer = await send('GET', `${url}fields=${FIELDS}&${VERSION}`, undefined, signal);
    if ([404, 410].includes(answer.status)) {
      // All items may be inaccessible, so this proves nothing about the item.
      await checkProject(signal);
      return await lost(id, name, signal);
    }
    const item = answer.status === 200 ? parsedAs(Item, answer.text) : undefined;
    if (item === undefined) return refusalOf(answer);
    if (item.fields['System.TeamProject'].toLowerCase() !== settings.project.toLowerCase()) {
      await checkProject(signal);
      return { result: 'rejected', reason: `${name} was moved to another project: it is not changed` };
    }
    if (!tagsOf(item).includes(made.key)) return withoutKey(name, made.key);
    const isClosed = CLOSED.includes(await categoryOf(item, signal));
    const wanted = made.kind === 'note' ? isClosed : made.kind === 'close';
    const type = item.fields['System.WorkItemType'];
    const state = wanted === isClosed ? undefined : stateFor(type, await statesOf(type, signal), wanted);
    if (state !== undefined && state.result !== 'chosen') return state;
    const isSaid = await hasComment(id, made.eventId, turn);
    if (isSaid && state === undefined) return { result: 'changed' };
    const fields = {
      ...(!isSaid && { 'System.History': written(made.body, made.eventId) }),
      ...(state !== undefined && { 'System.State': state.name }),
    };
    const test = { op: 'test', path: '/rev', value: item.rev };
    const changed = await send('PATCH', `${url}${VERSION}`, [test, ...patchOf(fields)], signal);
    return changed.status === 200 ? { result: 'changed' } : refusalOf(changed);
  };

  /** An item that the account may not read is answered like one that was deleted: only the recycle bin tells them apart. */
  async function lost(id: string, name: string, signal?: AbortSignal): Promise<Changed> {
    const answer = await send('GET', `${project}/_apis/wit/recyclebin/${id}?${VERSION}`, undefined, signal);
    const found = answer.status === 200 ? parsedAs(Deleted, answer.text) : undefined;
    if (found !== undefined && String(found.id) === id) return { result: 'missing' };
    if (!NOT_THERE.includes(answer.status)) return refusalOf(answer);
    const reason = `${name} cannot be read: it was permanently deleted or moved, or the account cannot read its area`;
    return { result: 'unreadable', reason };
  }

  /** Chooses the state that closes or opens items of a type. */
  function stateFor(type: string, states: readonly State[], isClosed: boolean): ChosenState {
    const name = isClosed ? settings.closedStatus : settings.openStatus;
    const fitting = (isClosed ? [DONE] : OPEN).flatMap((category) =>
      states.filter((state) => state.category === category),
    );
    const chosen = name === undefined ? fitting[0] : fitting.find((state) => state.name === name);
    if (chosen !== undefined) return { result: 'chosen', name: chosen.name };
    if (fitting.length > 0)
      return {
        result: 'rejected',
        reason: `no ${isClosed ? 'closed' : 'open'} state is named ${name}: a ${plainLine(type)} has ${namesOf(fitting)}`,
      };
    return isClosed
      ? { result: 'rejected', reason: `a ${plainLine(type)} has no state of the category ${DONE}` }
      : { result: 'final' };
  }

  async function reportOf(item: Item, turn: Turn): Promise<TicketReport> {
    const { fields } = item;
    const category = await categoryOf(item, turn.signal);
    const isClosed = CLOSED.includes(category);
    const state = fields['System.State'];
    const at = instantOf(fields['Microsoft.VSTS.Common.StateChangeDate'], turn.now());
    const isDone = settings.closedStatus === undefined ? category === DONE : state === settings.closedStatus;
    return {
      ...{ id: String(item.id), labels: tagsOf(item), isClosed, isDone: isClosed && isDone, state },
      ...{ assignee: fields['System.AssignedTo']?.displayName ?? '', closedAt: isClosed ? (at ?? '') : '' },
    };
  }

  async function* reports(since: string | undefined, turn: Turn) {
    const from = Date.parse(since ?? '') - OVERLAP_MS;
    const changed = Number.isNaN(from)
      ? ''
      : ` AND [System.ChangedDate] >= '${new Date(from).toISOString()}'`;
    for await (const item of query(COMMON_LABEL, `${changed} ORDER BY [System.ChangedDate] ASC`, turn))
      yield [await reportOf(item, turn), instantOf(item.fields['System.ChangedDate'], turn.now())] as const;
  }

  return {
    ...{ kind: 'tracker', name: `Azure DevOps ${settings.project} at ${new URL(base).host}` },
    scope: `the project ${settings.project} at ${base.replace(/^https?:\/\//, '')}`.toLowerCase(),
    ...{ lagMs: LAG_MS, pauseMs: PAUSE_MS, find, create, change },
    async test(signal) {
      await checkProject(signal);
      const states = await statesOf(itemType, signal);
      for (const isClosed of [true, false]) {
        const state = stateFor(itemType, states, isClosed);
        if (state.result === 'rejected') throw new Error(state.reason);
      }
      // The request creates no work item: the answer says whether it would accept the fields.
      const fields = {
        ...settings.fields,
        ...{ 'System.Title': 'Test', 'System.Description': '<p>Test</p>', 'System.Tags': COMMON_LABEL },
      };
      const url = `${project}/_apis/wit/workitems/$${encodeURIComponent(itemType)}?validateOnly=true&${VERSION}`;
      const answer = await send('POST', url, patchOf(fields), signal);
      if (answer.status !== 200) throw new ReadError(`a new ${itemType} would be refused`, answer);
    },
    read: (since, turn) => readReports(since, reports(since, turn)),
    close: () => http.close(),
  };
}

const namesOf = (states: readonly State[]): string =>
  states
    .slice(0, MAX_NAMES)
    .map(({ name }) => plainLine(name, 100))
    .join(', ');

const tagsOf = ({ fields }: Item): string[] =>
  (fields['System.Tags'] ?? '').split(';').map((tag) => tag.trim());

const patchOf = (fields: Readonly<Record<string, unknown>>): object[] =>
  Object.entries(fields).map(([name, value]) => ({ op: 'add', path: `/fields/${name}`, value }));
