/** Providers of single sign-on: adding, trying and removing them. */
import type { SsoProvider } from '@clew/api';
import { type FormEvent, useState } from 'react';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
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
            <Empty title="No provider is set up">
              <p>Users sign in with passwords.</p>
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

function AddDialog({ kind, onClose }: { readonly kind: 'SAML' | 'OIDC'; readonly onClose: () => void }) {
  const roles = useAnswer('ListRoles');
  const [provision, setProvision] = useState(false);
  const add = useChange(async (fields: FormData) => {
    const role = Number(fields.get('role') ?? 0);
    const fromProvider = fields.has('rolesFromProvider');
    if (kind === 'SAML') {
      const form = new FormData();
      form.append('name', String(fields.get('name')).trim());
      form.append('metadata', fields.get('metadata') as File);
      form.append('allow_unsolicited', String(fields.has('unsolicited')));
      form.append('config.auto_provision.enabled', String(provision));
      form.append('config.auto_provision.default_role_id', String(provision ? role : 0));
      form.append('config.auto_provision.role_provision', String(provision && fromProvider));
      await call('CreateSSOSAMLProvider', { form });
      return;
    }
    await call('CreateOIDCProvider', {
      body: {
        name: String(fields.get('name')).trim(),
        issuer: String(fields.get('issuer')).trim(),
        client_id: String(fields.get('client')).trim(),
        tenants: String(fields.get('tenants') ?? '')
          .split(/[\s,]+/)
          .filter((tenant) => tenant !== ''),
        config: {
          auto_provision: {
            enabled: provision,
            default_role_id: provision ? role : 0,
            role_provision: provision && fromProvider,
          },
        },
      },
    });
  }, TOUCHED);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    add.mutate(new FormData(event.currentTarget), { onSuccess: onClose });
  };
  return (
    <Dialog
      title={kind === 'SAML' ? 'Add a SAML provider' : 'Add an OpenID Connect provider'}
      onClose={onClose}
    >
      <form onSubmit={submit} aria-busy={add.isPending}>
        <label>
          Name
          <input name="name" required maxLength={200} autoComplete="off" />
        </label>
        {kind === 'SAML' ? (
          <>
            <label>
              Metadata of the provider (XML)
              <input name="metadata" type="file" required accept=".xml,text/xml,application/xml" />
            </label>
            <label>
              <input type="checkbox" name="unsolicited" /> Accept sign-ins that start at the provider
            </label>
          </>
        ) : (
          <>
            <label>
              Issuer
              <input
                name="issuer"
                type="url"
                required
                maxLength={2000}
                placeholder="https://login.example.com"
              />
            </label>
            <label>
              Client id
              <input name="client" required maxLength={500} autoComplete="off" />
            </label>
            <label>
              Tenant ids that may sign in (needed where one address serves many tenants, such as
              “organizations” of Entra ID)
              <input name="tenants" maxLength={4000} autoComplete="off" />
            </label>
          </>
        )}
        <label>
          <input
            type="checkbox"
            checked={provision}
            onChange={({ target }) => setProvision(target.checked)}
          />{' '}
          Create users automatically
        </label>
        {provision && (
          <>
            <label>
              Their role
              <select name="role" required>
                {(roles.data?.data.roles ?? []).map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <label>
              <input type="checkbox" name="rolesFromProvider" /> The provider says which role a user has
            </label>
          </>
        )}
        <DialogActions words="Add provider" isPending={add.isPending} error={add.error} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

function RemoveDialog({
  provider,
  onClose,
}: {
  readonly provider: SsoProvider;
  readonly onClose: () => void;
}) {
  const remove = useChange(
    () => call('DeleteSSOProvider', { params: { sso_provider_id: provider.id } }),
    TOUCHED,
  );
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
            onAct={() => remove.mutate(undefined)}
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
