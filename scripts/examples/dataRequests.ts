/** Requests about collectors, uploads, extensions, checks and the quality of data. */
import { CHECK, DAILY, ENDED, EXTENSION, READING } from './bodies.ts';
import type { Known, RequestTable } from './known.ts';

export function dataRequests({ domain, tenant, made, job }: Known): RequestTable {
  return {
    CreateClient: { body: { name: 'Berlin', type: 'azurehound', events: [DAILY] } },
    UpdateClient: { body: { name: 'Berlin, second floor' } },
    CreateClientScheduledJob: { body: {} },
    CreateClientScheduledTask: { body: {} },
    CreateClientSchedule: { body: { client_id: made.get('CreateClient'), ...DAILY } },
    UpdateClientEvent: { body: DAILY },
    LogClientError: { body: { task_error: 'no answer of the tenant', additional: { tenant: 'Aurora' } } },
    UpdateClientInfo: {
      body: { address: '10.0.0.5', hostname: 'collector-1', username: '', version: 'v2.2.1', usersid: '' },
    },
    StartClientJob: { body: { id: job } },
    StartClientTask: { body: { id: job } },
    AddClientJobLog: { body: { lines: [{ at: new Date().toISOString(), text: 'read 4,096 objects' }] } },
    RecordDirectoryReading: { body: READING },
    EndClientJob: { body: ENDED },
    EndClientTask: { body: ENDED },
    UploadFileToJob: {
      body: Buffer.from(JSON.stringify({ graph: { nodes: [{ id: 'TILL-1', kinds: ['Till'] }], edges: [] } })),
      contentType: 'application/json',
    },
    GetCompletedTasks: { params: { file_upload_job_id: 1 } },
    UpdateDomainEntity: { body: { collected: true } },
    UpsertOpenGraphExtension: { body: EXTENSION },
    PutCheck: { body: CHECK },
    TestCheck: { body: CHECK },
    SwitchCheck: { body: { enabled: false } },
    ListDerivedRelationships: { params: { extension_id: made.get('UpsertOpenGraphExtension') ?? 1 } },
    DeleteExtension: { params: { extension_id: made.get('UpsertOpenGraphExtension') ?? 3 } },
    CreateCustomNodes: {
      body: {
        custom_types: { Till: { icon: { type: 'font-awesome', name: 'cash-register', color: '#336699' } } },
      },
    },
    UpdateCustomNode: {
      body: { config: { icon: { type: 'font-awesome', name: 'store', color: '#336699' } } },
    },
    DeleteBloodHoundDatabase: { body: { deleteDataQualityHistory: true } },
    GetDataQualityStats: { query: { environment_id: domain } },
    GetDataQualityAggregations: { query: { schema_environment_kind_id: 1 } },
    GetAzureTenantDataQualityStats: { params: { tenant_id: tenant } },
  };
}
