/** Requests for the examples: one for each operation, to a service with a small synthetic organization. */
import { join } from 'node:path';
import type { RouteContract } from '@clew/api';
import { generateForest, generateTenant, writeForestZip, writeZip } from '@clew/synthetic';
import { generate } from 'otplib';
import { makeSamlPeer } from '../../packages/identity/test/sso/samlPeer.ts';
import { administrationRequests } from './administrationRequests.ts';
import { ASSISTANT, authorizationOf, LOGIN } from './bodies.ts';
import { ExampleCollector, placeReleases } from './collectorJobs.ts';
import { dataRequests } from './dataRequests.ts';
import { ExampleService } from './exampleService.ts';
import { findingRequests } from './findingRequests.ts';
import { graphRequests } from './graphRequests.ts';
import type { Asked, Known, Sent, Subjects } from './known.ts';
import { pathParameter } from './pathParameters.ts';
import { planRequests } from './planRequests.ts';
import { findSubjects } from './subjects.ts';
import { zoneRequests } from './zoneRequests.ts';

const USERS = 150;

export class Requests {
  readonly #service: ExampleService;
  #subjects: Subjects | undefined;
  /** Ids from answers of this run, by operation. */
  readonly #made = new Map<string, string | number>();

  readonly #collector: ExampleCollector;

  private constructor(url: string) {
    this.#service = new ExampleService(url);
    this.#collector = new ExampleCollector(url, async () => {
      const target = `/api/v2/clients/${this.#made.get('CreateClient')}/jobs`;
      return (await this.#service.call('POST', target, { body: {} })).json.data.id;
    });
  }

  /** Signs in, and uploads the organization. */
  static async begin(url: string, directory: string): Promise<Requests> {
    const requests = new Requests(url);
    requests.#service.token = (
      await requests.#service.call('POST', '/api/v2/login', { body: LOGIN })
    ).json.data.session_token;
    const forest = join(directory, 'forest.zip');
    await writeForestZip(generateForest({ users: USERS, seed: 11 }), forest);
    const tenant = join(directory, 'tenant.zip');
    await writeZip([generateTenant({ users: USERS, seed: 11 }).file], tenant, () => {});
    for (const file of [forest, tenant]) await requests.#service.upload(file);
    await placeReleases(join(directory, 'data'));
    requests.#samlMetadata = (await makeSamlPeer()).metadata();
    requests.#subjects = await findSubjects(requests.#service);
    return requests;
  }

  async send(contract: RouteContract): Promise<Sent> {
    await this.#collector.prepare(contract);
    if (contract.operationId === 'UndoBulkChange') await this.#changeFindings();
    if (contract.operationId === 'ListUserAssistants') await this.#signInAssistant();
    if (contract.operationId === 'ListAcceptanceRequests') await this.#askForAcceptance();
    if (contract.operationId === 'ListQueryLayers') await this.#changeLayer();
    if (contract.operationId === 'AddPlanEvidence') await this.#uploadTranscript();
    const { contentType, ...asked } = await this.#ask(contract);
    const { params = {}, query } = asked;
    const path = contract.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
    const search = query === undefined ? '' : `?${new URLSearchParams(query as Record<string, string>)}`;
    const isOfCollector = Array.isArray(contract.access) && contract.access.includes('clients/Tasking');
    const answer = isOfCollector
      ? await this.#collector.call(contract, path, asked.body)
      : await this.#service.call(contract.method, path + search, { body: asked.body, contentType });
    if (contract.operationId === 'CreateClient') await this.#collector.takeToken(answer.json.data.token);
    if (contract.operationId === 'ReplaceClientToken') await this.#collector.takeToken(answer.json.data);
    const id = answer.json?.data?.id ?? answer.json?.data?.added_selectors?.[0]?.id;
    if (contract.method === 'POST' && id !== undefined) this.#made.set(contract.operationId, id);
    // A saved query has permissions only after it is shared, and a watch only after it is watched.
    if (contract.operationId === 'CreateSavedQuery') {
      await this.#service.call('PUT', `/api/v2/saved-queries/${id}/permissions`, { body: { public: true } });
      await this.#service.call('PUT', `/api/v2/saved-queries/${id}/watch`);
    }
    if (contract.operationId === 'RegisterOAuthClient')
      this.#made.set(contract.operationId, answer.json.client_id);
    if (contract.operationId === 'AddUserMfa') this.#totpSecret = answer.json.data.totp_secret;
    const isJson = !Buffer.isBuffer(asked.body) && !(asked.body instanceof FormData);
    const body = isJson ? asked.body : undefined;
    return { ...asked, body, ...answer };
  }

  /** Changes several findings at once, so that this can be undone. */
  async #changeFindings(): Promise<void> {
    const { finding } = this.#known();
    const { query, body } = requestOf('AcceptFindings', this.#known());
    const target = `/api/v2/attack-paths/acceptance?${new URLSearchParams(query as Record<string, string>)}`;
    const { data } = (await this.#service.call('PUT', target, { body })).json;
    if (data.bulk_change_id === null) throw new Error(`no finding of ${finding.finding} was changed`);
    this.#made.set('AcceptFindings', data.bulk_change_id);
  }

  /** The first sign-in of an assistant, whose number is therefore 1. */
  async #signInAssistant(): Promise<void> {
    const { json } = await this.#service.call('POST', '/api/v2/oauth/register', { body: ASSISTANT });
    const body = { ...authorizationOf(json.client_id), approved: true };
    await this.#service.call('POST', '/api/v2/oauth/decisions', { body });
  }

  /** Asks for an acceptance while it needs a second approver. */
  async #askForAcceptance(): Promise<void> {
    const rules = (second_approver: boolean) =>
      this.#service.call('PUT', '/api/v2/config', {
        body: { key: 'findings.acceptance', value: { second_approver } },
      });
    const { finding } = this.#known();
    const until = { accept_until: '2099-12-31T00:00:00Z', reason: 'The host leaves in spring' };
    await rules(true);
    const { data } = (
      await this.#service.call('PUT', '/api/v2/attack-paths/acceptance', {
        body: { accepted: true, findings: [finding.id], ...until },
      })
    ).json;
    await rules(false);
    this.#made.set('ListAcceptanceRequests', data.acceptance_request_id);
  }

  /** Uploads the transcript that the script of a started change writes. */
  async #uploadTranscript(): Promise<void> {
    const { cards } = (await this.#service.call('GET', '/api/v2/plan?limit=1')).json.data;
    const repairs = cards[0].packages[0].references.slice(0, 1);
    const { files } = (await this.#service.call('POST', '/api/v2/plan/kit', { body: { repairs } })).json.data;
    const declared = files.find(({ name }: { readonly name: string }) => name === 'changes.json');
    const [{ digests }] = JSON.parse(declared.text);
    const lines = [
      ...['change change-01', 'mode Apply', 'time 2026-12-01T09:30:00Z', 'host dc1.example.test'],
      ...digests.map((fact: string) => `fact ${fact}`),
      ...['before other', 'changed yes', 'after wanted', 'code 0'],
    ];
    const text = lines.map((line) => `Clew-record: ${line}\n`).join('');
    const body = { name: 'change-01.Apply.txt', content: Buffer.from(text).toString('base64') };
    const { data } = (await this.#service.call('POST', '/api/v2/attachments', { body })).json;
    this.#made.set('transcript', data.id);
  }

  /** Begins a layer, so that there is one to list and to end. */
  async #changeLayer(): Promise<void> {
    const query = "MATCH (u:User) WHERE u.name STARTS WITH 'ADA.' SET u.owned = true";
    await this.#service.call('POST', '/api/v2/graphs/cypher', { body: { query }, prefer: 'layer=owned' });
  }

  async #ask(contract: RouteContract): Promise<Asked> {
    const special =
      contract.operationId === 'ActivateUserMfa'
        ? { body: { otp: await generate({ secret: this.#totpSecret }) } }
        : requestOf(contract.operationId, this.#known());
    const names = [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const params = Object.fromEntries(
      names.map((name) => [name, pathParameter(name, contract.path, this.#known())]),
    );
    return {
      ...(names.length === 0 ? {} : { params: { ...params, ...special.params } }),
      ...withoutParams(special),
    };
  }

  #known(): Known {
    if (this.#subjects === undefined) throw new Error('nothing is known of the organization yet');
    const [made, samlMetadata, { job }] = [this.#made, this.#samlMetadata, this.#collector];
    return { ...this.#subjects, made, samlMetadata, job };
  }

  #totpSecret = '';
  #samlMetadata = '';
}

const TABLES = [
  administrationRequests,
  dataRequests,
  findingRequests,
  graphRequests,
  planRequests,
  zoneRequests,
];

const requestOf = (operationId: string, known: Known): Asked =>
  TABLES.map((requests) => requests(known)[operationId]).find((asked) => asked !== undefined) ?? {};

const withoutParams = ({ params: _, ...others }: Asked): Asked => others;
