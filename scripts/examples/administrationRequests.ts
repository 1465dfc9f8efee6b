/** Requests about users, their sign-in, webhooks, assistants and settings. */
import { ASSISTANT, authorizationOf, LOGIN, PASSWORD, WEBHOOK } from './bodies.ts';
import type { Known, RequestTable } from './known.ts';

export function administrationRequests({ made, userId, samlMetadata }: Known): RequestTable {
  const madeUser = { user_id: made.get('CreateUser') ?? '' };
  return {
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
    CreateSSOSAMLProvider: { body: samlForm('Acme', samlMetadata, true) },
    CreateSamlProvider: { body: samlForm('Older', samlMetadata) },
    CreateOIDCProvider: {
      body: {
        name: 'Acme OIDC',
        issuer: 'https://login.acme.example',
        client_id: 'clew',
        config: { auto_provision: { enabled: true, default_role_id: 4, role_provision: false } },
      },
    },
    PatchSSOProvider: { body: samlForm('Acme', samlMetadata, true) },
    PostSingleSignOn: { body: new FormData() },
    PostSamlAssertion: { body: new FormData() },
    UpdateUser: { params: madeUser, body: { is_disabled: false, roles: [5] } },
    DeleteUser: { params: madeUser },
    CreateOrSetUserSecret: { params: madeUser, body: { secret: PASSWORD, needs_password_reset: true } },
    DeleteUserSecret: { params: madeUser },
    BeginViewAs: { body: { user_id: userId, minutes: 5 } },
    AddUserMfa: { body: { secret: PASSWORD } },
    RemoveUserMfa: { body: { secret: PASSWORD } },
    CreateAuthToken: { body: { user_id: userId, token_name: 'connector' } },
    CreateWebhook: { body: WEBHOOK },
    PatchWebhook: { body: { enabled: false } },
    UpdateWebhook: { body: { ...WEBHOOK, minimum_severity: 'high' } },
    RegisterOAuthClient: { body: ASSISTANT },
    DecideAuthorization: { body: authorizationOf(made.get('RegisterOAuthClient')) },
    RevokeOAuthToken: { body: formOf({ token: 'unknown' }) },
    SendMcpMessage: {
      body: {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        // The answer of a tool that waits for nothing.
        params: { name: 'list_environments', arguments: {} },
      },
    },
    ListAuditLogs: { query: { limit: 1 } },
    SetAppConfigParam: { body: { key: 'analysis.citrix_rdp_support', value: { enabled: true } } },
  };
}

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

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}
