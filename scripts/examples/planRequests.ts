/** Requests about plans, repairs, simulations and reports. */
import { entryOf } from './bodies.ts';
import type { Known, RequestTable } from './known.ts';

export function planRequests({ azureUser, path, inherited, finding, made, userId }: Known): RequestTable {
  return {
    UpdatePlan: { body: { description: 'Begins in spring' } },
    UpdatePlanConstraint: { body: { reason: 'Until the migration is over' } },
    CreatePlan: { body: { name: 'First quarter', disable: [path.from] } },
    CreatePlanConstraint: {
      body: { subject: 'kind', repair_kind: 'protect-host', reason: 'The host leaves in spring' },
    },
    AnswerAuthorityQuestion: { body: { is_updated: true } },
    AdoptPlan: { body: { name: 'Spring' } },
    MarkPlanChanges: {
      params: { plan_id: made.get('AdoptPlan') ?? 1 },
      body: { changes: [1], done: true, note: 'CHG-1042' },
    },
    GetAdoptedPlan: { params: { plan_id: made.get('AdoptPlan') ?? 1 } },
    GetPlanProof: { params: { plan_id: made.get('AdoptPlan') ?? 1 }, query: { limit: 2 } },
    AddPlanEvidence: {
      params: { plan_id: made.get('AdoptPlan') ?? 1 },
      body: { attachment: made.get('transcript') ?? 1 },
    },
    DownloadPlanEvidence: { params: { plan_id: made.get('AdoptPlan') ?? 1 } },
    DeletePlanEvidence: { params: { plan_id: made.get('AdoptPlan') ?? 1 } },
    UpdatePlanRepair: {
      params: { plan_id: made.get('AdoptPlan') ?? 1, repair: 1 },
      body: { owner_id: userId, due: '2026-12-31', notes: 'After the move to the new file server' },
    },
    GetPlan: { query: { limit: 2 } },
    GetFindingKit: { params: { finding_id: finding.id } },
    GetChokePoints: { query: { limit: 2 } },
    GetAlternativePaths: { query: { start_node: path.from, end_node: path.to, limit: 2 } },
    CreateReport: { body: { name: 'Board', schedule: 'monthly', masked: true } },
    UpdateReport: { body: { schedule: 'weekly' } },
    GetPathRepairs: { body: { steps: inherited === undefined ? [] : [inherited.step] } },
    GetDetectionRules: { body: { steps: inherited === undefined ? [] : [inherited.step] } },
    GetChangeKit: { body: { repairs: inherited === undefined ? [] : [entryOf(inherited.step)] } },
    SimulatePlan: { body: { disable: [azureUser] } },
    GetRemainingPaths: { body: { disable: [azureUser], limit: 2 } },
  };
}
