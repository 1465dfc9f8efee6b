/** Requests about findings, accepted risks, posture and lists of them. */
import type { Known, RequestTable } from './known.ts';

export function findingRequests({ domain, finding, made }: Known): RequestTable {
  return {
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
    DecideAcceptanceRequest: {
      params: { request_id: made.get('ListAcceptanceRequests') ?? 1 },
      body: { decision: 'withdraw' },
    },
    UploadAttachment: {
      body: {
        name: 'decision-of-the-board.txt',
        content: Buffer.from('Accepted until the migration\n').toString('base64'),
      },
    },
    DownloadAttachment: { params: { attachment_id: made.get('UploadAttachment') ?? 1 } },
    DeleteAttachment: { params: { attachment_id: made.get('UploadAttachment') ?? 1 } },
    CreateAcceptanceTemplate: {
      body: { name: 'Legacy host', reason: 'The host leaves in spring: ticket ', days: 90 },
    },
    UpdateAcceptanceTemplate: {
      params: { template_id: made.get('CreateAcceptanceTemplate') ?? 1 },
      body: { name: 'Legacy host', reason: 'The host leaves in autumn: ticket ', days: 180 },
    },
    DeleteAcceptanceTemplate: { params: { template_id: made.get('CreateAcceptanceTemplate') ?? 1 } },
    GetAcceptanceEvidence: { params: { attack_path_id: finding.id } },
    UndoBulkChange: { params: { bulk_change_id: made.get('AcceptFindings') ?? 1 } },
    GetFindingPaths: { params: { finding_id: finding.id } },
    GetFindingEvidence: { params: { finding_id: finding.id } },
    CreateView: {
      body: {
        ...{ name: 'Newest critical', page: 'findings', query: 'severity=critical&sort=-first_seen' },
        columns: ['Target', 'Exposure', 'Age', 'Owner'],
      },
    },
    UpdateView: { body: { shared: true } },
    ListDomainAttackPathsDetails: { query: { finding: finding.finding, limit: 1 } },
    ListAttackPathSparklineValues: { query: { finding: finding.finding } },
    ExportAttackPathFindings: { query: { finding: finding.finding } },
    ListAttackPathFindings: { query: { severity: 'eq:critical', limit: 1 } },
    FindingTrendsForEnvironment: { query: { environments: domain } },
    PostureHistoryForEnvironments: { query: { environments: domain } },
    UpdateAttackPathRisk: {
      body: { risk_type: finding.finding, accepted: true, accept_until: '2099-01-01T00:00:00Z' },
    },
  };
}
