/** Roles: the permissions of each, the number of its users, and users with access to some environments. */
import { useMemo } from 'react';
import { pathTo } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { Name } from '../../parts/Name.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { useAnswer } from '../../service/queries.ts';
import { counted, formatCount } from '../../text/formats.ts';
import { PartHead } from './PartHead.tsx';
import { permissionWords } from './permissionWords.ts';

export function RolesView() {
  const roles = useAnswer('ListRoles');
  const users = useAnswer('ListUsers', { query: { sort_by: 'principal_name' } });
  const environments = useAnswer('GetAvailableDomains');
  type Role = NonNullable<typeof roles.data>['data']['roles'][number];
  type User = NonNullable<typeof users.data>['data']['users'][number];
  const counts = useMemo(() => {
    const found = new Map<number, number>();
    for (const user of users.data?.data.users ?? [])
      for (const { id } of user.roles) found.set(id, (found.get(id) ?? 0) + 1);
    return found;
  }, [users.data]);
  const columns: Column<Role>[] = [
    {
      title: 'Role',
      cell: ({ name }) => (
        <strong>
          <Name text={name} />
        </strong>
      ),
    },
    { title: 'Users', numeric: true, cell: ({ id }) => formatCount(counts.get(id) ?? 0) },
    {
      title: 'May',
      cell: ({ permissions }) => (
        <details className="how">
          <summary>{counted(permissions.length, 'permission')}</summary>
          <ul>
            {permissions.map(({ id, authority, name }) => (
              <li key={id} title={`${authority}/${name}`}>
                {permissionWords(`${authority}/${name}`)}
              </li>
            ))}
          </ul>
        </details>
      ),
    },
    { title: 'For', grows: true, cell: ({ description }) => <Name text={description} /> },
  ];
  const nameOf = (id: string): string => environments.data?.data.find((one) => one.id === id)?.name ?? id;
  const limited: Column<User>[] = [
    { title: 'User', cell: ({ principal_name }) => <Name text={principal_name} /> },
    { title: 'Role', cell: ({ roles: own }) => own.map(({ name }) => name).join(', ') || 'none' },
    {
      title: 'Sees',
      grows: true,
      cell: ({ environment_targeted_access_control: access }) =>
        access.environments.length === 0 ? (
          <span className="bad">no environment</span>
        ) : (
          access.environments.map(({ environment_id: id }, at) => (
            <span key={id}>
              {at > 0 && ', '}
              <Name text={nameOf(id)} id={id} />
            </span>
          ))
        ),
    },
  ];
  return (
    <>
      <PartHead title="Roles">
        <p className="quiet">Roles are assigned to users. The permissions of a role are fixed.</p>
      </PartHead>
      <Answer query={roles} what="the roles" lines={6}>
        {({ data }) => <Table caption="Roles" columns={columns} rows={data.roles} keyOf={({ id }) => id} />}
      </Answer>
      <PartHead title="Access to environments">
        <p className="quiet">Users who are not listed see all environments.</p>
      </PartHead>
      <Answer query={users} what="the users">
        {({ data }) => {
          const rows = data.users.filter(({ all_environments }) => !all_environments);
          return rows.length === 0 ? (
            <Empty
              title="All users see all environments"
              example="“maria, Read-Only, sees BOREAL.EXAMPLE”"
              action={{ words: 'Open the users', href: pathTo('admin', { view: 'users' }) }}
            >
              You can limit a user to some environments: pages, figures and the plan then cover only these.
            </Empty>
          ) : (
            <Table
              caption="Users who can see only some environments"
              columns={limited}
              rows={rows}
              keyOf={({ id }) => id}
            />
          );
        }}
      </Answer>
    </>
  );
}
