/** Resources: a finding, a card of the plan, an object and a report, each with the address of its page. */
import { ApiError, type ClewClient, PlanNotReadyError } from '@clew/client';
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
} from '@modelcontextprotocol/server';
import { inTime, jsonText, shownFault } from './answering.ts';
import { boundedAnswer } from './boundedAnswer.ts';
import { pages } from './pages.ts';
import { planPage } from './planTools.ts';
import { type Answer, MissingError } from './tool.ts';
import { runTool } from './tools.ts';

interface ResourceKind {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The name of the parameter in its address. */
  readonly parameter: string;
  /** @returns the resource with its `page` @throws MissingError, and errors of tools and of the client */
  read(client: ClewClient, id: string, signal: AbortSignal): Promise<Answer & { readonly page: string }>;
}

const MIME = 'application/json';
const MAX_ID = 500;
const MAX_CARDS = 20;
const LISTED_CARDS = 10;
const LISTED_REPORTS = 50;
/** Programs read lists automatically, so lists do not wait for a plan. */
const LIST_SECONDS = 1;

export const RESOURCE_KINDS: readonly ResourceKind[] = [
  {
    ...{ name: 'finding', title: 'Finding', parameter: 'id' },
    description: 'A finding by its number, with the texts of its type and its remedy',
    async read(client, id, signal) {
      const number = numberOf('the number of a finding', id);
      return {
        page: pages(client).finding(number),
        ...(await runTool('get_finding', client, { id: number }, signal)),
      };
    },
  },
  {
    ...{ name: 'card', title: 'Card of the plan', parameter: 'number' },
    description: 'A card of the plan of Tier Zero by its place: changes that help together',
    async read(client, id, signal) {
      const number = numberOf('the number of a card', id);
      if (number > MAX_CARDS) throw new MissingError(`the number of a card is at most ${MAX_CARDS}`);
      const { cards, next: _, ...plan } = await planPage(client, { most: 1, skip: number - 1 }, signal);
      const [card] = cards as readonly unknown[];
      if (card === undefined)
        throw new MissingError(`there is no card ${number}: the plan has ${plan.card_count}`);
      return { page: pages(client).card(number), number, card, ...plan };
    },
  },
  {
    ...{ name: 'object', title: 'Object', parameter: 'object_id' },
    description: 'A user, group, computer or other object by its object id, with its properties and counts',
    async read(client, object_id, signal) {
      const object = await runTool('get_object', client, { object_id }, signal);
      return { page: pages(client).object(String(object.objectid)), ...object };
    },
  },
  {
    ...{ name: 'report', title: 'Report', parameter: 'id' },
    description: 'The latest issue of a stored report, by its number',
    async read(client, id, signal) {
      const report_id = numberOf('the number of a report', id);
      const { data } = await client.call('GetReport', { params: { report_id } }, { signal });
      const { name, owner, audience, schedule, issues } = data;
      const [newest] = issues;
      if (newest === undefined) throw new MissingError(`the report ${report_id} has no content yet`);
      const params = { report_id, issue_id: newest.id };
      const issue = (await client.call('GetReportIssue', { params }, { signal })).data;
      return { page: pages(client).report(report_id), name, owner, audience, schedule, ...issue };
    },
  },
];

export function offerResources(server: Server, client: ClewClient): void {
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: RESOURCE_KINDS.map(({ name, title, description, parameter }) => ({
      ...{ name, title, description, mimeType: MIME },
      uriTemplate: `clew://${name}/{${parameter}}`,
    })),
  }));
  server.setRequestHandler('resources/list', async (_, { mcpReq: { signal } }) => {
    const lists = await inTime(signal, (ended) =>
      Promise.all([listedCards(client, ended), listedReports(client, ended)].map(orNothing)),
    ).catch((error: unknown) => {
      throw new ProtocolError(ProtocolErrorCode.InternalError, shownFault(error));
    });
    return { resources: lists.flat() };
  });
  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq: { signal } }) => {
    try {
      const { kind, id } = kindOf(uri);
      const answer = await inTime(signal, (ended) => kind.read(client, id, ended));
      return { contents: [{ uri, mimeType: MIME, text: jsonText(boundedAnswer(answer)) }] };
    } catch (error) {
      if (isMissing(error)) throw new ResourceNotFoundError(uri, shownFault(error));
      throw new ProtocolError(ProtocolErrorCode.InternalError, shownFault(error));
    }
  });
}

/** Whether the resource does not exist; after other faults, the same request may succeed. */
const isMissing = (error: unknown): boolean =>
  error instanceof MissingError || (error instanceof ApiError && error.status === 404);

function kindOf(uri: string): { readonly kind: ResourceKind; readonly id: string } {
  const [, name, encoded = ''] = /^clew:\/\/([a-z]+)\/([^/?#]{1,1500})$/.exec(uri) ?? [];
  const kind = RESOURCE_KINDS.find((one) => one.name === name);
  const id = decoded(encoded);
  if (kind !== undefined && id?.trim() && id.length <= MAX_ID) return { kind, id };
  const known = RESOURCE_KINDS.map((one) => `clew://${one.name}/{${one.parameter}}`);
  throw new MissingError(`there is no such resource. Resources: ${known.join(', ')}`);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function numberOf(what: string, text: string): number {
  const number = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
  if (number === undefined) throw new MissingError(`${what} must be a whole number from 1`);
  return number;
}

interface Listed {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

async function listedCards(client: ClewClient, signal: AbortSignal): Promise<Listed[]> {
  const { cards } = await client.plan({ limit: LISTED_CARDS }, { signal, wait: LIST_SECONDS });
  return cards.map(({ packages, effect }, at) => ({
    ...{ uri: `clew://card/${at + 1}`, name: `card ${at + 1}`, mimeType: MIME },
    title: packages
      .map(({ title }) => title)
      .join('; ')
      .slice(0, 500)
      .toWellFormed(),
    description: `${effect.text} ${pages(client).card(at + 1)}`,
  }));
}

async function listedReports(client: ClewClient, signal: AbortSignal): Promise<Listed[]> {
  const { data } = await client.call(
    'ListReports',
    { query: { limit: LISTED_REPORTS } as never },
    { signal },
  );
  return data.map(({ id, name, owner }) => ({
    ...{ uri: `clew://report/${id}`, name: `report ${id}`, title: name, mimeType: MIME },
    description: `A report of ${owner}. ${pages(client).report(id)}`,
  }));
}

/** A missing plan or permission does not affect the rest of the list. */
async function orNothing(list: Promise<Listed[]>): Promise<Listed[]> {
  try {
    return await list;
  } catch (error) {
    if (error instanceof PlanNotReadyError || (error instanceof ApiError && error.status === 403)) return [];
    throw error;
  }
}
