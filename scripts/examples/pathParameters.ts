/** Values of path parameters, each with the same meaning in all paths. */
import { AD_QUALITY_KINDS } from '@clew/api';
import { CHECK } from './bodies.ts';
import type { Known } from './known.ts';

/** Kinds of the objects whose ids are in paths. */
export const KIND_OF_PATH: Readonly<Record<string, string>> = {
  ...AD_QUALITY_KINDS,
  base: 'User',
  domains: 'Domain',
};

export function pathParameter(
  name: string,
  path: string,
  { domain, tenant, idOf, node, finding, member, made, userId, job }: Known,
): string | number {
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
      return made.get('CreateFileUploadJob') ?? 1;
    case 'check_name':
      return CHECK.name;
    case 'kind_name':
      return 'Till';
    case 'slug':
      return 'acme';
    case 'sso_provider_id':
      return 1;
    case 'saml_provider_id':
      return made.get('CreateSamlProvider') ?? 1;
    case 'user_id':
      return userId;
    case 'session_id':
      return 2;
    case 'assistant_id':
      return 1;
    case 'view_as_id':
      return made.get('BeginViewAs') ?? '';
    case 'token_id':
      return made.get('CreateAuthToken') ?? '';
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
      return made.get('CreateClient') ?? '';
    case 'saved_query_id':
      return made.get('CreateSavedQuery') ?? 1;
    case 'view_id':
      return made.get('CreateView') ?? 1;
    case 'layer_name':
      return 'owned';
    case 'drawing_id':
      return made.get('CreateDrawing') ?? 1;
    case 'report_id':
      return made.get('CreateReport') ?? 1;
    case 'issue_id':
      return 1;
    case 'plan_id':
      return made.get('CreatePlan') ?? 1;
    case 'evidence_id':
      return made.get('AddPlanEvidence') ?? 1;
    case 'environment_id':
      return domain;
    case 'authority_id':
      return idOf.get('EnterpriseCA') ?? '';
    case 'constraint_id':
      return made.get('CreatePlanConstraint') ?? 1;
    case 'webhook_id':
      return made.get('CreateWebhook') ?? '';
    case 'delivery_id':
      return made.get('TestWebhook') ?? '';
    case 'event_id':
      return made.get('CreateClientSchedule') ?? 1;
    case 'job_id':
    case 'task_id':
      return job;
    default:
      return '';
  }
}
