/** Users: their role, environments, and sign-in method. */
import type { User } from '@clew/api';
import { useCallback, useState } from 'react';
import { Answer } from '../../parts/Answer.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { Name } from '../../parts/Name.tsx';
import { notify } from '../../parts/notices.ts';
import { type Column, Table } from '../../parts/Table.tsx';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { showViewAs, viewedAs } from '../../service/viewAs.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatAge, isTime } from '../../text/formats.ts';
import { PartHead } from './PartHead.tsx';
import { TOUCHED, UserDialog } from './UserDialog.tsx';

export function UsersView() {
  const self = useSelf();
  const query = useAnswer('ListUsers', { query: { sort_by: 'principal_name' } });
  const environments = useAnswer('GetAvailableDomains');
  const [editing, setEditing] = useState<User | 'new'>();
  const [removing, setRemoving] = useState<User>();
  const begin = useChange(
    async ({ id }: User) => (await call('BeginViewAs', { body: { user_id: id } })).data,
    { touched: [], onSuccess: showViewAs, onError: (error) => notify(describeError(error).text) },
  );
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
                {user.id !== self?.user.id && !user.is_disabled && viewedAs() === undefined && (
                  <button type="button" onClick={() => begin.mutate(user)}>
                    View as<span className="unseen"> {cleanText(user.principal_name)}</span>
                  </button>
                )}
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

function RemoveDialog({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  return (
    <ConfirmDialog
      title={`Remove ${cleanText(user.principal_name)}?`}
      words="Remove user"
      act={() => call('DeleteUser', { params: { user_id: user.id } })}
      touched={TOUCHED}
      onClose={onClose}
    >
      <p>The user's tokens and sessions end immediately. The audit log keeps the user's actions.</p>
    </ConfirmDialog>
  );
}
