/** Users: their role, environments, and sign-in method. */
import type { User } from '@clew/api';
import { type FormEvent, useCallback, useState } from 'react';
import { Answer } from '../../parts/Answer.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { Dialog, DialogActions } from '../../parts/Dialog.tsx';
import { Name } from '../../parts/Name.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { call } from '../../service/client.ts';
import { useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatAge, isTime } from '../../text/formats.ts';
import { PartHead } from './PartHead.tsx';

const TOUCHED = ['ListUsers', 'GetSelf'] as const;

export function UsersView() {
  const self = useSelf();
  const query = useAnswer('ListUsers', { query: { sort_by: 'principal_name' } });
  const environments = useAnswer('GetAvailableDomains');
  const [editing, setEditing] = useState<User | 'new'>();
  const [removing, setRemoving] = useState<User>();
  const add = useCallback(() => setEditing('new'), []);
  const mayManage = self?.may('auth/ManageUsers') ?? false;
  const nameOf = (id: string) => environments.data?.data.find((one) => one.id === id)?.name ?? id;
  const columns: Column<User>[] = [
    { title: 'Name', cell: ({ principal_name }) => <Name text={principal_name} /> },
    {
      title: 'Full name',
      cell: ({ first_name, last_name }) => (
        <Name text={[first_name, last_name].filter(Boolean).join(' ') || '–'} />
      ),
    },
    { title: 'E-mail', cell: ({ email_address }) => <Name text={email_address ?? '–'} /> },
    { title: 'Role', cell: ({ roles }) => roles.map(({ name }) => name).join(', ') || 'none' },
    {
      title: 'Environments',
      cell: ({ all_environments, environment_targeted_access_control: access }) =>
        all_environments
          ? 'all'
          : access.environments.map(({ environment_id }) => cleanText(nameOf(environment_id))).join(', ') ||
            'none',
    },
    {
      title: 'Signs in with',
      cell: ({ sso_provider_id, AuthSecret }) =>
        sso_provider_id !== null
          ? 'single sign-on'
          : AuthSecret?.totp_activated
            ? 'password and MFA'
            : 'password',
    },
    { title: 'Last seen', cell: ({ last_login }) => (isTime(last_login) ? formatAge(last_login) : 'never') },
    {
      title: 'State',
      cell: ({ is_disabled }) => (is_disabled ? <span className="bad">disabled</span> : 'enabled'),
    },
    ...(mayManage
      ? [
          {
            title: 'Actions',
            cell: (user: User) => (
              <div className="chips">
                <button type="button" onClick={() => setEditing(user)}>
                  Change…<span className="unseen"> {cleanText(user.principal_name)}</span>
                </button>
                {user.id !== self?.user.id && (
                  <button type="button" onClick={() => setRemoving(user)}>
                    Remove…<span className="unseen"> {cleanText(user.principal_name)}</span>
                  </button>
                )}
              </div>
            ),
          },
        ]
      : []),
  ];
  return (
    <>
      <PartHead title="Users" words={mayManage ? 'New user…' : undefined} onAdd={add} />
      <Answer query={query} what="the users" lines={6}>
        {({ data }) => <Table caption="Users" columns={columns} rows={data.users} keyOf={({ id }) => id} />}
      </Answer>
      {editing !== undefined && (
        <UserDialog
          key={editing === 'new' ? 'new' : editing.id}
          user={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {removing !== undefined && <RemoveDialog user={removing} onClose={() => setRemoving(undefined)} />}
    </>
  );
}

function UserDialog({ user, onClose }: { readonly user: User | undefined; readonly onClose: () => void }) {
  const roles = useAnswer('ListRoles');
  const environments = useAnswer('GetAvailableDomains');
  const providers = useAnswer('ListAuthProviders');
  const [allEnvironments, setAll] = useState(user?.all_environments ?? true);
  const [provider, setProvider] = useState(String(user?.sso_provider_id ?? ''));
  const own = new Set(
    user?.environment_targeted_access_control.environments.map(({ environment_id }) => environment_id),
  );
  const save = useChange(async (fields: FormData) => {
    const text = (name: string) => String(fields.get(name) ?? '').trim();
    const profile = {
      first_name: text('first') || null,
      last_name: text('last') || null,
      email_address: text('email') || null,
      roles: [Number(text('role'))],
      sso_provider_id: provider === '' ? null : Number(provider),
      all_environments: allEnvironments,
      environment_targeted_access_control: allEnvironments
        ? null
        : { environments: fields.getAll('environment').map((id) => ({ environment_id: String(id) })) },
    };
    if (user === undefined)
      return call('CreateUser', {
        body: {
          ...profile,
          principal: text('principal'),
          ...(provider === '' && { secret: String(fields.get('password')), needs_password_reset: true }),
        },
      });
    const params = { user_id: user.id };
    const changed = await call('UpdateUser', {
      params,
      body: { ...profile, principal: text('principal'), is_disabled: fields.has('disabled') },
    });
    const password = String(fields.get('password') ?? '');
    if (password !== '' && provider === '')
      await call('CreateOrSetUserSecret', { params, body: { secret: password, needs_password_reset: true } });
    return changed;
  }, TOUCHED);
  const removeFactor = useChange(
    () => call('RemoveUserMfa', { params: { user_id: user!.id }, body: {} }),
    TOUCHED,
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutate(new FormData(event.currentTarget), { onSuccess: onClose });
  };
  return (
    <Dialog
      title={user === undefined ? 'New user' : `Change ${cleanText(user.principal_name)}`}
      onClose={onClose}
    >
      <form onSubmit={submit} aria-busy={save.isPending}>
        <label>
          Name to sign in with
          <input
            name="principal"
            required
            maxLength={500}
            defaultValue={user?.principal_name}
            autoComplete="off"
          />
        </label>
        <label>
          First name
          <input name="first" maxLength={500} defaultValue={user?.first_name ?? ''} autoComplete="off" />
        </label>
        <label>
          Last name
          <input name="last" maxLength={500} defaultValue={user?.last_name ?? ''} autoComplete="off" />
        </label>
        <label>
          E-mail address
          <input
            name="email"
            type="email"
            maxLength={500}
            defaultValue={user?.email_address ?? ''}
            autoComplete="off"
          />
        </label>
        <label>
          Role
          <select
            name="role"
            required
            key={roles.data?.data.roles.length ?? 0}
            defaultValue={String(user?.roles[0]?.id ?? roles.data?.data.roles[0]?.id ?? '')}
          >
            {(roles.data?.data.roles ?? []).map(({ id, name, description }) => (
              <option key={id} value={id}>
                {name}: {description}
              </option>
            ))}
          </select>
        </label>
        <label>
          Signs in with
          <select value={provider} onChange={({ target }) => setProvider(target.value)}>
            <option value="">A password</option>
            {(providers.data?.data ?? []).map(({ id, name }) => (
              <option key={id} value={id}>
                {cleanText(name)}
              </option>
            ))}
          </select>
        </label>
        {provider === '' && (
          <label>
            {user === undefined
              ? 'First password, to be changed at the first sign-in'
              : 'New password (optional), to be changed at the next sign-in'}
            <input
              name="password"
              type="password"
              required={user === undefined}
              maxLength={1024}
              autoComplete="new-password"
            />
          </label>
        )}
        <fieldset>
          <legend>May see</legend>
          <label>
            <input type="radio" name="access" checked={allEnvironments} onChange={() => setAll(true)} /> All
            environments
          </label>
          <label>
            <input type="radio" name="access" checked={!allEnvironments} onChange={() => setAll(false)} />{' '}
            Only these
          </label>
          {!allEnvironments &&
            (environments.data?.data ?? []).map(({ id, name }) => (
              <label key={id}>
                <input type="checkbox" name="environment" value={id} defaultChecked={own.has(id)} />{' '}
                {cleanText(name)}
              </label>
            ))}
        </fieldset>
        {user !== undefined && (
          <label>
            <input type="checkbox" name="disabled" defaultChecked={user.is_disabled} /> Disabled: cannot sign
            in
          </label>
        )}
        <DialogActions
          words={user === undefined ? 'Create user' : 'Save user'}
          isPending={save.isPending}
          error={save.error ?? removeFactor.error}
          onCancel={onClose}
        >
          {user?.AuthSecret?.totp_activated && (
            <button type="button" onClick={() => removeFactor.mutate(undefined, { onSuccess: onClose })}>
              Remove MFA
            </button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  );
}

function RemoveDialog({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  return (
    <ConfirmDialog
      title={`Remove ${cleanText(user.principal_name)}?`}
      words="Remove user"
      act={() => call('DeleteUser', { params: { user_id: user.id } })}
      touched={TOUCHED}
      onClose={onClose}
    >
      <p>The user's tokens and sessions end at once. The audit log keeps the user's actions.</p>
    </ConfirmDialog>
  );
}
