/** Single sign-on providers: adding, testing and removing them. */
import type { SsoProvider } from '@clew/api';
import { useState } from 'react';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import type { Field, Option } from '../../parts/FormField.tsx';
import type { FormValues } from '../../parts/formValues.ts';
import { Name } from '../../parts/Name.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { call } from '../../service/client.ts';
import { useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';
import { PartHead } from './PartHead.tsx';

const TOUCHED = ['ListAuthProviders', 'ListUsers'] as const;

export function SingleSignOnView() {
  const self = useSelf();
  const query = useAnswer('ListAuthProviders');
  const [adding, setAdding] = useState<'SAML' | 'OIDC'>();
  const [removing, setRemoving] = useState<SsoProvider>();
  const mayManage = self?.may('auth/ManageProviders') ?? false;
  const columns: Column<SsoProvider>[] = [
    { title: 'Name', cell: ({ name }) => <Name text={name} /> },
    { title: 'Type', cell: ({ type }) => type },
    {
      title: 'Provider',
      cell: ({ details }) =>
        details === undefined ? (
          ''
        ) : (
          <Name text={'issuer' in details ? details.issuer : details.idp_issuer_uri} />
        ),
    },
    {
      title: 'Enter at the provider',
      cell: ({ type, callback_uri, details }) => (
        <>
          <code>{callback_uri}</code>
          {type === 'SAML' && details !== undefined && 'sp_metadata_uri' in details && (
            <>
              <br />
              <code>{details.sp_metadata_uri}</code>
            </>
          )}
        </>
      ),
    },
    {
      title: 'New users',
      cell: ({ config }) =>
        config?.auto_provision.enabled ? 'created at their first sign-in' : 'created here first',
    },
    {
      title: 'Actions',
      cell: (provider) => (
        <div className="chips">
          <a
            className="button"
            href={`./api/v2/sso/${encodeURIComponent(provider.slug)}/login`}
            target="_blank"
            rel="noreferrer"
          >
            Test<span className="unseen"> {cleanText(provider.name)} in another tab</span>
          </a>
          {mayManage && (
            <button type="button" onClick={() => setRemoving(provider)}>
              Remove…
            </button>
          )}
        </div>
      ),
    },
  ];
  return (
    <>
      <PartHead title="Single sign-on" />
      {mayManage && (
        <p className="bar">
          <button type="button" onClick={() => setAdding('SAML')}>
            Add SAML…
          </button>
          <button type="button" onClick={() => setAdding('OIDC')}>
            Add OpenID Connect…
          </button>
        </p>
      )}
      <p className="quiet">
        Test signs in through the provider in another tab, as a user would. Errors are shown there.
      </p>
      <Answer query={query} what="the providers">
        {({ data }) =>
          data.length === 0 ? (
            <Empty
              title="No provider is set up"
              example="Entra ID, with the issuer https://login.microsoftonline.com/…/v2.0"
              action={
                mayManage
                  ? { words: 'Connect the first provider…', onAct: () => setAdding('OIDC') }
                  : undefined
              }
            >
              Users sign in with passwords until you add a SAML or OpenID Connect provider.
            </Empty>
          ) : (
            <Table caption="Providers" columns={columns} rows={data} keyOf={({ id }) => id} />
          )
        }
      </Answer>
      {adding !== undefined && <AddDialog kind={adding} onClose={() => setAdding(undefined)} />}
      {removing !== undefined && <RemoveDialog provider={removing} onClose={() => setRemoving(undefined)} />}
    </>
  );
}

interface AddDialogProps {
  readonly kind: 'SAML' | 'OIDC';
  readonly onClose: () => void;
}

function AddDialog({ kind, onClose }: AddDialogProps) {
  const roles = useAnswer('ListRoles').data?.data.roles ?? [];
  const isCreated = (values: FormValues): boolean => values.has('provision');
  return (
    <FormDialog
      title={kind === 'SAML' ? 'Add a SAML provider' : 'Add an OpenID Connect provider'}
      fields={[
        { type: 'text', name: 'name', label: 'Name', required: true, maxLength: 200 },
        ...(kind === 'SAML' ? SAML_FIELDS : OIDC_FIELDS),
        { type: 'check', name: 'provision', label: 'Create users automatically' },
        {
          ...{ type: 'select', name: 'role', label: 'Their role', required: true, when: isCreated },
          options: roles.map(({ id, name }): Option => [String(id), name]),
        },
        {
          ...{ type: 'check', name: 'rolesFromProvider', when: isCreated },
          label: 'The provider says which role a user has',
        },
      ]}
      words="Add provider"
      send={(values) => (kind === 'SAML' ? addSaml(values) : addOidc(values))}
      touched={TOUCHED}
      onClose={onClose}
    />
  );
}

const SAML_FIELDS: readonly Field[] = [
  {
    ...{ type: 'file', name: 'metadata', label: 'Metadata of the provider (XML)', required: true },
    accept: '.xml,text/xml,application/xml',
  },
  { type: 'check', name: 'unsolicited', label: 'Accept sign-ins that start at the provider' },
];

const OIDC_FIELDS: readonly Field[] = [
  {
    ...{ type: 'url', name: 'issuer', label: 'Issuer', required: true, maxLength: 2000 },
    placeholder: 'https://login.example.com',
  },
  { type: 'text', name: 'client', label: 'Client id', required: true, maxLength: 500 },
  {
    ...{ type: 'text', name: 'tenants', maxLength: 4000 },
    label:
      'Tenant IDs that can sign in (needed if one address serves many tenants, such as “organizations” in Entra ID)',
  },
];

function provisionOf(values: FormValues) {
  const enabled = values.has('provision');
  return {
    enabled,
    default_role_id: enabled ? Number(values.text('role')) : 0,
    role_provision: enabled && values.has('rolesFromProvider'),
  };
}

async function addSaml(values: FormValues): Promise<void> {
  const form = new FormData();
  form.append('name', values.text('name'));
  form.append('metadata', values.file('metadata') ?? '');
  form.append('allow_unsolicited', String(values.has('unsolicited')));
  for (const [name, value] of Object.entries(provisionOf(values)))
    form.append(`config.auto_provision.${name}`, String(value));
  await call('CreateSSOSAMLProvider', { form });
}

async function addOidc(values: FormValues): Promise<void> {
  await call('CreateOIDCProvider', {
    body: {
      name: values.text('name'),
      issuer: values.text('issuer'),
      client_id: values.text('client'),
      tenants: values
        .text('tenants')
        .split(/[\s,]+/)
        .filter((tenant) => tenant !== ''),
      config: { auto_provision: provisionOf(values) },
    },
  });
}

function RemoveDialog({
  provider,
  onClose,
}: {
  readonly provider: SsoProvider;
  readonly onClose: () => void;
}) {
  const remove = useChange(() => call('DeleteSSOProvider', { params: { sso_provider_id: provider.id } }), {
    touched: TOUCHED,
  });
  const affected = remove.data?.data.affected_users;
  return (
    <Dialog title={`Remove ${cleanText(provider.name)}?`} onClose={onClose}>
      {affected === undefined ? (
        <>
          <p>Users who sign in through it need a password afterward.</p>
          <DialogActions
            words="Remove provider"
            isDanger
            isPending={remove.isPending}
            error={remove.error}
            onAct={() => remove.mutate()}
            onCancel={onClose}
          />
        </>
      ) : (
        <>
          <p role="status">
            Removed. {counted(affected.length, 'user has', 'users have')} nothing to sign in with now.
          </p>
          <ul>
            {affected.map(({ id, principal_name }) => (
              <li key={id}>
                <Name text={principal_name} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}
