/** API tokens of all users: their owners, their last use, and a button to revoke each. */
import { useState } from 'react';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx';
import { Name } from '../../parts/Name.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { call } from '../../service/client.ts';
import { useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatAge, formatDate, isTime } from '../../text/formats.ts';
import { PartHead } from './PartHead.tsx';

export function TokensView() {
  const self = useSelf();
  const query = useAnswer('ListAuthTokens', { query: { sort_by: 'name' } });
  const users = useAnswer('ListUsers', { query: { sort_by: 'principal_name' } });
  type Token = NonNullable<typeof query.data>['data']['tokens'][number];
  const [revoked, setRevoked] = useState<Token>();
  const userName = (id: string | null): string =>
    users.data?.data.users.find((user) => user.id === id)?.principal_name ?? id ?? 'no user';
  const columns: Column<Token>[] = [
    { title: 'Name', cell: ({ name }) => <Name text={name ?? 'without a name'} /> },
    { title: 'User', cell: ({ user_id }) => <Name text={userName(user_id)} /> },
    { title: 'Token id', cell: ({ id }) => <code>{id}</code> },
    {
      title: 'Last used',
      cell: ({ last_access, created_at }) =>
        isTime(last_access) && last_access !== created_at ? formatAge(last_access) : 'never',
    },
    { title: 'Created', cell: ({ created_at }) => formatDate(created_at) },
    { title: 'Ends', cell: ({ expires_at }) => (expires_at.valid ? formatDate(expires_at.time) : 'never') },
    ...(self?.may('auth/ManageUsers')
      ? [
          {
            title: 'Actions',
            cell: (token: Token) => (
              <button type="button" onClick={() => setRevoked(token)}>
                Revoke…<span className="unseen"> {cleanText(token.name ?? token.id)}</span>
              </button>
            ),
          },
        ]
      : []),
  ];
  return (
    <>
      <PartHead title="API tokens">
        <p className="quiet">
          Programs use them to sign requests. Each user creates API tokens in the profile.
        </p>
      </PartHead>
      <Answer query={query} what="the tokens" lines={5}>
        {({ data }) =>
          data.tokens.length === 0 ? (
            <Empty
              title="No user has a token"
              example="“pipeline, ends on 31 Dec”, used by a script to upload collections"
              action={{ words: 'Create one in your profile', href: '/profile' }}
            >
              Programs sign requests with a token instead of a password.
            </Empty>
          ) : (
            <Table caption="API tokens" columns={columns} rows={data.tokens} keyOf={({ id }) => id} />
          )
        }
      </Answer>
      {revoked !== undefined && (
        <ConfirmDialog
          title="Revoke the token?"
          words="Revoke token"
          act={() => call('DeleteAuthToken', { params: { token_id: revoked.id } })}
          touched={['ListAuthTokens']}
          notice="The token is revoked"
          onClose={() => setRevoked(undefined)}
        >
          <p>
            Requests that <Name text={revoked.name ?? revoked.id} /> signs are refused from now on.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
