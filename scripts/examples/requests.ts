/** Requests for the examples: one for each operation, to a service with a small synthetic organization. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FINAL_JOB_STATUSES, type RouteContract } from '@clew/api';
import { generateForest, generateTenant, writeForestZip, writeZip } from '@clew/synthetic';
import { generate } from 'otplib';
import { makeSamlPeer } from '../../packages/identity/test/sso/samlPeer.ts';
import {
  ASSISTANT,
  CHECK,
  DAILY,
  ENDED,
  EXTENSION,
  entryOf,
  LOGIN,
  PASSWORD,
  READING,
  WEBHOOK,
} from './bodies.ts';
import { ExampleCollector, placeReleases } from './collectorJobs.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are held to their contracts by the service itself.
type Json = any;
type Values = Readonly<Record<string, string | number>>;

export interface Sent {
  readonly params?: Values;
  readonly query?: Values;
  readonly body?: unknown;
  readonly status: number;
  /** `undefined` if the answer is not JSON. */
  readonly json?: Json;
}

interface Asked {
  readonly params?: Values;
  readonly query?: Values;
  readonly body?: unknown;
  readonly contentType?: string;
}

const USERS = 150;

/** Kinds of the objects whose ids are in paths. */
const KIND_OF_PATH: Readonly<Record<string, string>> = {
  base: 'User',
  users: 'User',
  groups: 'Group',
  computers: 'Computer',
  domains: 'Domain',
  gpos: 'GPO',
  ous: 'OU',
  containers: 'Container',
  aiacas: 'AIACA',
  rootcas: 'RootCA',
  enterprisecas: 'EnterpriseCA',
  ntauthstores: 'NTAuthStore',
  certtemplates: 'CertTemplate',
  issuancepolicies: 'IssuancePolicy',
};

/** The objects in the requests. */
interface Subjects {
  readonly domain: string;
  readonly tenant: string;
  readonly azureUser: string;
  readonly idOf: ReadonlyMap<string, string>;
  readonly path: { readonly from: string; readonly to: string };
  readonly inherited: Json;
  readonly derived: Json;
  readonly relayed: Json;
  readonly node: number;
  readonly meta: string;
  readonly finding: Json;
  readonly member: Json;
}

export class Requests {
  readonly #url: string;
  #token = '';
  #subjects: Subjects | undefined;
  /** Ids from answers of this run, by operation. */
  readonly #made = new Map<string, string | number>();

  readonly #collector: ExampleCollector;

  private constructor(url: string) {
    this.#url = url;
    this.#collector = new ExampleCollector(url, async () => {
      const target = `/api/v2/clients/${this.#made.get('CreateClient')}/jobs`;
      return (await this.#call('POST', target, { body: {} })).json.data.id;
    });
  }

  /** Signs in, and uploads the organization. */
  static async begin(url: string, directory: string): Promise<Requests> {
    const requests = new Requests(url);
    requests.#token = (
      await requests.#call('POST', '/api/v2/login', { body: LOGIN })
    ).json.data.session_token;
    const forest = join(directory, 'forest.zip');
    await writeForestZip(generateForest({ users: USERS, seed: 11 }), forest);
    const tenant = join(directory, 'tenant.zip');
    await writeZip([generateTenant({ users: USERS, seed: 11 }).file], tenant, () => {});
    for (const file of [forest, tenant]) await requests.#upload(file);
    await placeReleases(join(directory, 'data'));
    requests.#samlMetadata = (await makeSamlPeer()).metadata();
    requests.#subjects = await requests.#findSubjects();
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
      : await this.#call(contract.method, path + search, { body: asked.body, contentType });
    if (contract.operationId === 'CreateClient') await this.#collector.takeToken(answer.json.data.token);
    if (contract.operationId === 'ReplaceClientToken') await this.#collector.takeToken(answer.json.data);
    const id = answer.json?.data?.id ?? answer.json?.data?.added_selectors?.[0]?.id;
    if (contract.method === 'POST' && id !== undefined) this.#made.set(contract.operationId, id);
    // A saved query has permissions only after it is shared, and a watch only after it is watched.
    if (contract.operationId === 'CreateSavedQuery') {
      await this.#call('PUT', `/api/v2/saved-queries/${id}/permissions`, { body: { public: true } });
      await this.#call('PUT', `/api/v2/saved-queries/${id}/watch`);
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
    const { query, body } = this.#special('AcceptFindings');
    const target = `/api/v2/attack-paths/acceptance?${new URLSearchParams(query as Record<string, string>)}`;
    const { data } = (await this.#call('PUT', target, { body })).json;
    if (data.bulk_change_id === null) throw new Error(`no finding of ${finding.finding} was changed`);
    this.#made.set('AcceptFindings', data.bulk_change_id);
  }

  /** The first sign-in of an assistant, whose number is therefore 1. */
  async #signInAssistant(): Promise<void> {
    const { json } = await this.#call('POST', '/api/v2/oauth/register', { body: ASSISTANT });
    const body = { ...authorizationOf(json.client_id), approved: true };
    await this.#call('POST', '/api/v2/oauth/decisions', { body });
  }

  /** Asks for an acceptance while it needs a second approver. */
  async #askForAcceptance(): Promise<void> {
    const rules = (second_approver: boolean) =>
      this.#call('PUT', '/api/v2/config', {
        body: { key: 'findings.acceptance', value: { second_approver } },
      });
    const { finding } = this.#known();
    const until = { accept_until: '2099-12-31T00:00:00Z', reason: 'The host leaves in spring' };
    await rules(true);
    const { data } = (
      await this.#call('PUT', '/api/v2/attack-paths/acceptance', {
        body: { accepted: true, findings: [finding.id], ...until },
      })
    ).json;
    await rules(false);
    this.#made.set('ListAcceptanceRequests', data.acceptance_request_id);
  }

  /** Uploads the transcript that the script of a started change writes. */
  async #uploadTranscript(): Promise<void> {
    const { cards } = (await this.#call('GET', '/api/v2/plan?limit=1')).json.data;
    const repairs = cards[0].packages[0].references.slice(0, 1);
    const { files } = (await this.#call('POST', '/api/v2/plan/kit', { body: { repairs } })).json.data;
    const declared = files.find(({ name }: { readonly name: string }) => name === 'changes.json');
    const [{ digests }] = JSON.parse(declared.text);
    const lines = [
      ...['change change-01', 'mode Apply', 'time 2026-12-01T09:30:00Z', 'host dc1.example.test'],
      ...digests.map((fact: string) => `fact ${fact}`),
      ...['before other', 'changed yes', 'after wanted', 'code 0'],
    ];
    const text = lines.map((line) => `Clew-record: ${line}\n`).join('');
    const body = { name: 'change-01.Apply.txt', content: Buffer.from(text).toString('base64') };
    const { data } = (await this.#call('POST', '/api/v2/attachments', { body })).json;
    this.#made.set('transcript', data.id);
  }

  /** Begins a layer, so that there is one to list and to end. */
  async #changeLayer(): Promise<void> {
    const query = "MATCH (u:User) WHERE u.name STARTS WITH 'ADA.' SET u.owned = true";
    await this.#call('POST', '/api/v2/graphs/cypher', { body: { query }, prefer: 'layer=owned' });
  }

  async #ask(contract: RouteContract): Promise<Asked> {
    const special =
      contract.operationId === 'ActivateUserMfa'
        ? { body: { otp: await generate({ secret: this.#totpSecret }) } }
        : this.#special(contract.operationId);
    const names = [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const params = Object.fromEntries(names.map((name) => [name, this.#param(name, contract.path)]));
    return {
      ...(names.length === 0 ? {} : { params: { ...params, ...special.params } }),
      ...withoutParams(special),
    };
  }

  /** A path parameter with the same meaning everywhere. */
  #param(name: string, path: string): string | number {
    const { domain, tenant, idOf, node, finding, member } = this.#known();
    switch (name) {
      case 'object_id':
        return idOf.get(KIND_OF_PATH[path.split('/')[3]] ?? 'User') ?? '';
      case 'domain_id':
        return domain;
      case 'tenant_id':
        return tenant;
      case 'node_id':
        return node;
      case 'platform_id':
        return 'ad';
      case 'file':
        return 'reference.css';
      case 'data_type':
        return 'findings';
      case 'feature_id':
      case 'role_id':
      case 'permission_id':
      case 'node_kind_id':
      case 'relationship_kind_id':
      case 'asset_group_id':
        return 1;
      case 'asset_group_tag_id':
        return 1;
      case 'asset_group_tag_selector_id':
        return 1;
      case 'asset_group_member_id':
        return member.id;
      case 'attack_path_id':
        return finding.id;
      case 'file_upload_job_id':
        return this.#made.get('CreateFileUploadJob') ?? 1;
      case 'check_name':
        return CHECK.name;
      case 'kind_name':
        return 'Till';
      case 'slug':
        return 'acme';
      case 'sso_provider_id':
        return 1;
      case 'saml_provider_id':
        return this.#made.get('CreateSamlProvider') ?? 1;
      case 'user_id':
        return this.#userId;
      case 'session_id':
        return 2;
      case 'assistant_id':
        return 1;
      case 'view_as_id':
        return this.#made.get('BeginViewAs') ?? '';
      case 'token_id':
        return this.#made.get('CreateAuthToken') ?? '';
      case 'entity_type':
        return 'users';
      case 'finding_type':
        return finding.finding;
      case 'asset_name':
        return path.includes('kennel') ? 'azurehound-v2.2.1-linux-amd64.zip' : 'title.md';
      case 'collector_type':
        return 'sharphound';
      case 'release_tag':
        return 'latest';
      case 'client_id':
        return this.#made.get('CreateClient') ?? '';
      case 'saved_query_id':
        return this.#made.get('CreateSavedQuery') ?? 1;
      case 'view_id':
        return this.#made.get('CreateView') ?? 1;
      case 'layer_name':
        return 'owned';
      case 'drawing_id':
        return this.#made.get('CreateDrawing') ?? 1;
      case 'report_id':
        return this.#made.get('CreateReport') ?? 1;
      case 'issue_id':
        return 1;
      case 'plan_id':
        return this.#made.get('CreatePlan') ?? 1;
      case 'evidence_id':
        return this.#made.get('AddPlanEvidence') ?? 1;
      case 'environment_id':
        return this.#known().domain;
      case 'authority_id':
        return this.#known().idOf.get('EnterpriseCA') ?? '';
      case 'constraint_id':
        return this.#made.get('CreatePlanConstraint') ?? 1;
      case 'webhook_id':
        return this.#made.get('CreateWebhook') ?? '';
      case 'delivery_id':
        return this.#made.get('TestWebhook') ?? '';
      case 'event_id':
        return this.#made.get('CreateClientSchedule') ?? 1;
      case 'job_id':
      case 'task_id':
        return this.#collector.job;
      default:
        return '';
    }
  }

  #special(operationId: string): Asked {
    const { domain, tenant, azureUser, idOf, path, inherited, derived, relayed, finding, member, meta } =
      this.#known();
    const group = this.#made.get('CreateAssetGroup') ?? 1;
    const zone = this.#made.get('CreateAssetGroupTag') ?? 1;
    const madeUser = { user_id: this.#made.get('CreateUser') ?? '' };
    const selector = this.#made.get('CreateAssetGroupTagSelector') ?? 1;
    const seeds = [{ type: 1, value: idOf.get('User') }];
    const edge = (one: Json) => ({
      source_node: one?.source_node,
      target_node: one?.target_node,
      edge_type: one?.edge_type,
    });
    const relationship = {
      params: { relationship_id: inherited?.id ?? 1 },
    };
    const table: Readonly<Record<string, Asked>> = {
      Login: { body: LOGIN },
      CreateUser: {
        body: {
          principal: 'ada',
          first_name: 'Ada',
          last_name: 'Abel',
          email_address: 'ada.abel@aurora.example',
          roles: [4],
          secret: PASSWORD,
          needs_password_reset: true,
        },
      },
      CreateSSOSAMLProvider: { body: samlForm('Acme', this.#samlMetadata, true) },
      CreateSamlProvider: { body: samlForm('Older', this.#samlMetadata) },
      CreateOIDCProvider: {
        body: {
          name: 'Acme OIDC',
          issuer: 'https://login.acme.example',
          client_id: 'clew',
          config: { auto_provision: { enabled: true, default_role_id: 4, role_provision: false } },
        },
      },
      PatchSSOProvider: { body: samlForm('Acme', this.#samlMetadata, true) },
      PostSingleSignOn: { body: new FormData() },
      PostSamlAssertion: { body: new FormData() },
      UpdateUser: { params: madeUser, body: { is_disabled: false, roles: [5] } },
      DeleteUser: { params: madeUser },
      CreateOrSetUserSecret: { params: madeUser, body: { secret: PASSWORD, needs_password_reset: true } },
      DeleteUserSecret: { params: madeUser },
      BeginViewAs: { body: { user_id: this.#userId, minutes: 5 } },
      AddUserMfa: { body: { secret: PASSWORD } },
      RemoveUserMfa: { body: { secret: PASSWORD } },
      CreateAuthToken: { body: { user_id: this.#userId, token_name: 'connector' } },
      CreateWebhook: { body: WEBHOOK },
      PatchWebhook: { body: { enabled: false } },
      UpdatePlan: { body: { description: 'Begins in spring' } },
      UpdatePlanConstraint: { body: { reason: 'Until the migration is over' } },
      UpdateWebhook: { body: { ...WEBHOOK, minimum_severity: 'high' } },
      MarkInbox: { body: { done: [`opened:${finding.id}`] } },
      AssignFindings: { body: { owner: 'me', findings: [finding.id] } },
      GetMatchingFindings: { query: { finding: finding.finding } },
      AcceptFindings: {
        query: { finding: finding.finding },
        body: {
          accepted: true,
          accept_until: '2099-01-01T00:00:00Z',
          reason: 'Ends in spring',
          all_matching: true,
        },
      },
      ListAttackPathFindingGroups: { query: { by: 'cause', limit: 2 } },
      ListChanges: { query: { since: '2020-01-01T00:00:00Z', limit: 2 } },
      GetDifference: { query: { since: '2020-01-01T00:00:00Z', limit: 2 } },
      GetPostureSummary: {},
      CreatePlan: { body: { name: 'First quarter', disable: [path.from] } },
      CreatePlanConstraint: {
        body: { subject: 'kind', repair_kind: 'protect-host', reason: 'The host leaves in spring' },
      },
      AnswerAuthorityQuestion: { body: { is_updated: true } },
      AdoptPlan: { body: { name: 'Spring' } },
      MarkPlanChanges: {
        params: { plan_id: this.#made.get('AdoptPlan') ?? 1 },
        body: { changes: [1], done: true, note: 'CHG-1042' },
      },
      GetAdoptedPlan: { params: { plan_id: this.#made.get('AdoptPlan') ?? 1 } },
      GetPlanProof: { params: { plan_id: this.#made.get('AdoptPlan') ?? 1 }, query: { limit: 2 } },
      DecideAcceptanceRequest: {
        params: { request_id: this.#made.get('ListAcceptanceRequests') ?? 1 },
        body: { decision: 'withdraw' },
      },
      AddPlanEvidence: {
        params: { plan_id: this.#made.get('AdoptPlan') ?? 1 },
        body: { attachment: this.#made.get('transcript') ?? 1 },
      },
      DownloadPlanEvidence: { params: { plan_id: this.#made.get('AdoptPlan') ?? 1 } },
      DeletePlanEvidence: { params: { plan_id: this.#made.get('AdoptPlan') ?? 1 } },
      UploadAttachment: {
        body: {
          name: 'decision-of-the-board.txt',
          content: Buffer.from('Accepted until the migration\n').toString('base64'),
        },
      },
      DownloadAttachment: { params: { attachment_id: this.#made.get('UploadAttachment') ?? 1 } },
      DeleteAttachment: { params: { attachment_id: this.#made.get('UploadAttachment') ?? 1 } },
      CreateAcceptanceTemplate: {
        body: { name: 'Legacy host', reason: 'The host leaves in spring: ticket ', days: 90 },
      },
      UpdateAcceptanceTemplate: {
        params: { template_id: this.#made.get('CreateAcceptanceTemplate') ?? 1 },
        body: { name: 'Legacy host', reason: 'The host leaves in autumn: ticket ', days: 180 },
      },
      DeleteAcceptanceTemplate: { params: { template_id: this.#made.get('CreateAcceptanceTemplate') ?? 1 } },
      GetAcceptanceEvidence: { params: { attack_path_id: finding.id } },
      UndoBulkChange: { params: { bulk_change_id: this.#made.get('AcceptFindings') ?? 1 } },
      UpdatePlanRepair: {
        params: { plan_id: this.#made.get('AdoptPlan') ?? 1, repair: 1 },
        body: { owner_id: this.#userId, due: '2026-12-31', notes: 'After the move to the new file server' },
      },
      GetPlan: { query: { limit: 2 } },
      GetFindingPaths: { params: { finding_id: finding.id } },
      GetFindingEvidence: { params: { finding_id: finding.id } },
      GetFindingKit: { params: { finding_id: finding.id } },
      GetChokePoints: { query: { limit: 2 } },
      GetReach: { query: { object_id: path.to, include_path: 'true' } },
      GetAlternativePaths: { query: { start_node: path.from, end_node: path.to, limit: 2 } },
      CreateClient: { body: { name: 'Berlin', type: 'azurehound', events: [DAILY] } },
      UpdateClient: { body: { name: 'Berlin, second floor' } },
      CreateClientScheduledJob: { body: {} },
      CreateClientScheduledTask: { body: {} },
      CreateClientSchedule: { body: { client_id: this.#made.get('CreateClient'), ...DAILY } },
      UpdateClientEvent: { body: DAILY },
      LogClientError: { body: { task_error: 'no answer of the tenant', additional: { tenant: 'Aurora' } } },
      UpdateClientInfo: {
        body: { address: '10.0.0.5', hostname: 'collector-1', username: '', version: 'v2.2.1', usersid: '' },
      },
      StartClientJob: { body: { id: this.#collector.job } },
      StartClientTask: { body: { id: this.#collector.job } },
      AddClientJobLog: { body: { lines: [{ at: new Date().toISOString(), text: 'read 4,096 objects' }] } },
      RecordDirectoryReading: { body: READING },
      EndClientJob: { body: ENDED },
      EndClientTask: { body: ENDED },
      UploadFileToJob: {
        body: Buffer.from(
          JSON.stringify({ graph: { nodes: [{ id: 'TILL-1', kinds: ['Till'] }], edges: [] } }),
        ),
        contentType: 'application/json',
      },
      GetCompletedTasks: { params: { file_upload_job_id: 1 } },
      Search: { query: { q: 'DOMAIN ADMINS' } },
      FindEnvironments: { body: { object_ids: [idOf.get('User')] } },
      RunCypherQuery: { body: { query: 'MATCH (n) RETURN n LIMIT 1' } },
      CreateSavedQuery: {
        body: {
          name: 'Kerberoastable users',
          query: 'MATCH (u:User) WHERE u.hasspn = true AND u.enabled = true RETURN u',
          description: 'Users whose password a service ticket gives away',
        },
      },
      ExportSavedQueries: { query: { scope: 'owned' } },
      ImportSavedQueries: {
        body: Buffer.from(JSON.stringify({ name: 'All domains', query: 'MATCH (d:Domain) RETURN d' })),
        contentType: 'application/json',
      },
      UpdateSavedQuery: { body: { description: 'Users with a service principal name' } },
      ShareSavedQuery: { body: { public: true } },
      DeleteSavedQueryPermissions: { body: { user_ids: [] } },
      CreateReport: { body: { name: 'Board', schedule: 'monthly', masked: true } },
      UpdateReport: { body: { schedule: 'weekly' } },
      CreateDrawing: {
        body: {
          name: 'Ways of ADA ABEL',
          address: `mode=path&from=${path.from}&to=${path.to}`,
          objects: [
            { object_id: path.from, name: 'ADA.ABEL', kind: 'User', x: 0, y: 0, pinned: false },
            { object_id: path.to, name: 'DOMAIN ADMINS', kind: 'Group', x: 260, y: 0, pinned: true },
          ],
          relationships: [{ source: 0, kind: 'MemberOf', target: 1 }],
        },
      },
      CreateView: {
        body: {
          ...{ name: 'Newest critical', page: 'findings', query: 'severity=critical&sort=-first_seen' },
          columns: ['Target', 'Exposure', 'Age', 'Owner'],
        },
      },
      UpdateView: { body: { shared: true } },
      UpdateDrawing: { body: { description: 'For the ticket of March', shared: true } },
      GetShortestPath: { query: { start_node: path.from, end_node: path.to } },
      Pathfinding: { query: { start_node: path.from, end_node: path.to } },
      GetSearchResult: { query: { query: 'DOMAIN ADMINS' } },
      GetACLInheritancePath: { query: edge(inherited) },
      GetPathComposition: { query: edge(derived) },
      GetRelayTargets: { query: edge(relayed) },
      ExportGraph: { query: { kind: 'Domain' } },
      GetRelationshipByID: relationship,
      UpdateDomainEntity: { body: { collected: true } },
      GetPathRepairs: { body: { steps: inherited === undefined ? [] : [inherited.step] } },
      GetDetectionRules: { body: { steps: inherited === undefined ? [] : [inherited.step] } },
      GetChangeKit: { body: { repairs: inherited === undefined ? [] : [entryOf(inherited.step)] } },
      SimulatePlan: { body: { disable: [azureUser] } },
      GetRemainingPaths: { body: { disable: [azureUser], limit: 2 } },
      GetAzureEntity: { query: { object_id: azureUser } },
      UpsertOpenGraphExtension: { body: EXTENSION },
      PutCheck: { body: CHECK },
      TestCheck: { body: CHECK },
      RegisterOAuthClient: { body: ASSISTANT },
      DecideAuthorization: { body: authorizationOf(this.#made.get('RegisterOAuthClient')) },
      RevokeOAuthToken: { body: formOf({ token: 'unknown' }) },
      SendMcpMessage: {
        body: {
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          // The answer of a tool that waits for nothing.
          params: { name: 'list_environments', arguments: {} },
        },
      },
      SwitchCheck: { body: { enabled: false } },
      ListDerivedRelationships: { params: { extension_id: this.#made.get('UpsertOpenGraphExtension') ?? 1 } },
      DeleteExtension: { params: { extension_id: this.#made.get('UpsertOpenGraphExtension') ?? 3 } },
      CreateCustomNodes: {
        body: {
          custom_types: { Till: { icon: { type: 'font-awesome', name: 'cash-register', color: '#336699' } } },
        },
      },
      UpdateCustomNode: {
        body: { config: { icon: { type: 'font-awesome', name: 'store', color: '#336699' } } },
      },
      DeleteBloodHoundDatabase: { body: { deleteDataQualityHistory: true } },
      ListDomainAttackPathsDetails: { query: { finding: finding.finding, limit: 1 } },
      ListAttackPathSparklineValues: { query: { finding: finding.finding } },
      ExportAttackPathFindings: { query: { finding: finding.finding } },
      ListAttackPathFindings: { query: { severity: 'eq:critical', limit: 1 } },
      FindingTrendsForEnvironment: { query: { environments: domain } },
      PostureHistoryForEnvironments: { query: { environments: domain } },
      UpdateAttackPathRisk: {
        body: { risk_type: finding.finding, accepted: true, accept_until: '2099-01-01T00:00:00Z' },
      },
      CreateAssetGroupTag: {
        body: { name: 'Servers of the shop', description: 'Tills and what they need', type: 2 },
      },
      UpdateAssetGroupTag: { params: { asset_group_tag_id: zone }, body: { description: 'Tills' } },
      DeleteAssetGroupTag: { params: { asset_group_tag_id: zone } },
      CreateAssetGroupTagSelector: {
        params: { asset_group_tag_id: zone },
        body: { name: 'One account', description: 'It manages the tills', seeds },
      },
      UpdateAssetGroupTagSelector: {
        params: { asset_group_tag_id: zone, asset_group_tag_selector_id: selector },
        body: { description: 'It manages all tills' },
      },
      DeleteAssetGroupTagSelector: {
        params: { asset_group_tag_id: zone, asset_group_tag_selector_id: selector },
      },
      PreviewSelectors: { body: { seeds } },
      AssetGroupTagSearch: { body: { query: 'ADMIN', tag_type: 1 } },
      SearchAssetGroupTagHistory: { body: { query: 'shop' } },
      CertifyOrRevokeObjects: { body: { member_ids: [member.id], action: 1, note: 'Reviewed' } },
      CreateAssetGroup: { body: { name: 'Tills', tag: 'tills' } },
      UpdateAssetGroup: { params: { asset_group_id: group }, body: { name: 'All tills' } },
      DeleteAssetGroup: { params: { asset_group_id: group } },
      UpdateAssetGroupSelectors: {
        params: { asset_group_id: group },
        body: [{ action: 'add', selector_name: 'till', sid: idOf.get('User') }],
      },
      UpdateAssetGroupSelectorsDeprecated: {
        params: { asset_group_id: group },
        body: [{ action: 'add', selector_name: 'till', sid: idOf.get('User') }],
      },
      DeleteAssetGroupSelector: {
        params: {
          asset_group_id: group,
          asset_group_selector_id: this.#made.get('UpdateAssetGroupSelectorsDeprecated') ?? 1,
        },
      },
      GetMetaEntity: { params: { object_id: meta } },
      GetDataQualityStats: { query: { environment_id: domain } },
      GetDataQualityAggregations: { query: { schema_environment_kind_id: 1 } },
      GetAzureTenantDataQualityStats: { params: { tenant_id: tenant } },
      ListAuditLogs: { query: { limit: 1 } },
      SetAppConfigParam: { body: { key: 'analysis.citrix_rdp_support', value: { enabled: true } } },
    };
    return table[operationId] ?? {};
  }

  #known(): Subjects {
    if (this.#subjects === undefined) throw new Error('nothing is known of the organization yet');
    return this.#subjects;
  }

  #userId = '';
  #totpSecret = '';
  #samlMetadata = '';

  async #findSubjects(): Promise<Subjects> {
    const get = async (path: string): Promise<Json> => (await this.#call('GET', `/api/v2/${path}`)).json;
    this.#userId = (await get('self')).data.id;
    const environments: readonly Json[] = (await get('available-domains')).data;
    const domain = environments.find(({ type, collected }) => type === 'active-directory' && collected).id;
    const tenant = environments.find(({ type }) => type === 'azure').id;
    const idOf = new Map<string, string>();
    for (const kind of new Set([...Object.values(KIND_OF_PATH), 'AZUser'])) {
      const { nodes } = (
        await get(`graphs/export?kind=${kind}&environment=${kind === 'AZUser' ? tenant : domain}`)
      ).graph;
      // Accounts created by users are better examples than built-in ones.
      const own = nodes.find(({ id }: Json) => /-[1-9]\d{3,}$/.test(id)) ?? nodes[0];
      if (own !== undefined) idOf.set(kind, own.id);
    }
    idOf.set('Domain', domain);
    idOf.set('Group', `${domain}-512`);
    const findings: readonly Json[] = (
      await get(`attack-paths/findings?environment_id=eq:${domain}&limit=1000`)
    ).data;
    const finding = findings.find(({ finding_type }) => finding_type === 'relationship');
    const members = (await get('asset-group-tags/1/members?limit=1')).data.members;
    const edges: readonly Json[] = (await get(`graphs/export?environment=${domain}`)).graph.edges;
    return {
      domain,
      tenant,
      idOf,
      azureUser: idOf.get('AZUser') ?? '',
      path: { from: finding.source_principal_id, to: domain },
      ...(await this.#explainable(edges)),
      node: members[0].id,
      meta: Object.values<Json>((await get(`meta-nodes/${domain}`)).data)[0].data.objectid,
      finding,
      member: members[0],
    };
  }

  /** Edges for which the operations on edges return an explanation. */
  async #explainable(edges: readonly Json[]): Promise<Pick<Subjects, 'inherited' | 'derived' | 'relayed'>> {
    const first = async (kinds: RegExp, operation: string): Promise<Json> => {
      for (const { kind, start, end } of edges.filter((edge) => kinds.test(edge.kind)).slice(0, 200)) {
        const asked = await Promise.all([start.value, end.value].map(async (id) => await this.#nodeOf(id)));
        const query = { source_node: asked[0], target_node: asked[1], edge_type: kind };
        const search = new URLSearchParams(query as unknown as Record<string, string>);
        const answer = await this.#call('GET', `/api/v2/graphs/${operation}?${search}`);
        if (answer.status === 200 && !isEmpty(answer.json.data))
          return {
            ...{ ...query, id: await this.#edgeId(start.value, end.value) },
            step: { source_id: start.value, target_id: end.value, kinds: [kind] },
          };
      }
      return undefined;
    };
    return {
      inherited: await first(/^GenericAll$|^WriteDacl$/, 'acl-inheritance'),
      derived: await first(/^DCSync$|^ADCSESC1$/, 'edge-composition'),
      relayed: await first(/^CoerceAndRelay/, 'relay-targets'),
    };
  }

  async #nodeOf(objectId: string): Promise<number> {
    const answer = await this.#call(
      'GET',
      `/api/v2/graph-search?query=${encodeURIComponent(objectId)}&type=exact`,
    );
    return Number(Object.keys(answer.json.data)[0]);
  }

  async #edgeId(from: string, to: string): Promise<number> {
    const search = new URLSearchParams({ start_node: from, end_node: to, only_traversable: 'false' });
    const answer = await this.#call('GET', `/api/v2/graphs/shortest-path?${search}`);
    return answer.json?.data?.edges?.[0]?.id ?? 1;
  }

  async #upload(file: string): Promise<void> {
    const { id } = (await this.#call('POST', '/api/v2/file-upload/start')).json.data;
    await this.#call('POST', `/api/v2/file-upload/${id}`, {
      body: await readFile(file),
      contentType: 'application/zip',
    });
    await this.#call('POST', `/api/v2/file-upload/${id}/end`);
    for (;;) {
      const [{ status }] = (await this.#call('GET', `/api/v2/file-upload?id=eq:${id}`)).json.data;
      if (FINAL_JOB_STATUSES.includes(status)) return;
      await sleep(200);
    }
  }

  async #call(
    method: string,
    target: string,
    {
      body,
      contentType = 'application/json',
      prefer,
    }: { readonly body?: unknown; readonly contentType?: string; readonly prefer?: string } = {},
  ): Promise<Pick<Sent, 'status' | 'json'>> {
    const answer = await fetch(this.#url + target, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': contentType }),
        ...(prefer !== undefined && { prefer }),
      },
      body:
        body === undefined || body instanceof FormData
          ? body
          : Buffer.isBuffer(body)
            ? new Uint8Array(body)
            : JSON.stringify(body),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: answer.status, ...(isJson ? { json: JSON.parse(text) } : {}) };
  }
}

/** A graph without nodes is not an example. */
const isEmpty = ({ nodes }: Json): boolean => nodes !== undefined && Object.keys(nodes).length === 0;

function samlForm(name: string, metadata: string, withProvision = false): FormData {
  const form = new FormData();
  form.append('name', name);
  form.append('metadata', new Blob([metadata], { type: 'text/xml' }), 'metadata.xml');
  const provision = { enabled: 'true', default_role_id: '4', role_provision: 'false' };
  if (withProvision)
    for (const [part, value] of Object.entries(provision))
      form.append(`config.auto_provision.${part}`, value);
  return form;
}

const withoutParams = ({ params: _, ...others }: Asked): Asked => others;

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

const authorizationOf = (clientId: unknown) => ({
  ...{ response_type: 'code', client_id: clientId, redirect_uri: ASSISTANT.redirect_uris[0] },
  // The challenge of RFC 7636, appendix B.
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
});
