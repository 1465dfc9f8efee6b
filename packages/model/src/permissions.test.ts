import { describe, expect, it } from 'vitest';
import { PERMISSIONS, ROLES, type RoleName, roleByName } from './permissions.ts';

/** The table of `docs/reference/api.md#roles`, columns A P U R Au Up CT; `(x)` is granted. */
const MATRIX = `
app/ReadAppConfig       x x x x x . .
app/WriteAppConfig      x x . . . . .
risks/GenerateReport    x x x x x . .
risks/ManageRisks       x x . . . . .
audit_log/Read          x . . . x . .
auth/AcceptEULA         x x x x x . .
auth/CreateToken        x x x x x . .
auth/ManageSelf         x x x x x . .
auth/ManageUsers        x . . . . . .
auth/ManageProviders    x . . . . . .
auth/ReadUsers          x . . . x . .
auth/ReadUsersMinimal   x x x x x . .
auth/ReadProviders      x . . . x . .
clients/Manage          x x . . . . .
clients/Read            x x x . x . .
clients/Tasking         x x . . . . x
collection/ManageJobs   x x . . . . .
collection/ReadJobs     x x . . x . .
graphdb/Read            x x x x x . .
graphdb/Write           x x . . . . x
graphdb/Mutate          x x . . . . .
graphdb/IngestManage    x x . . . x .
graphdb/IngestRead      x x . . x x .
saved_queries/Read      x x x x x . .
saved_queries/Write     x x x . . . .
db/Wipe                 x . . . . . .
opengraph/Read          x x x x x . .
opengraph/Write         x . . . . . .
analysis/Request        x . . . . . .
alerts/Read             x . . . x . .
alerts/Manage           x . . . . . .
`;

const COLUMNS: readonly RoleName[] = [
  'Administrator',
  'Power User',
  'User',
  'Read-Only',
  'Auditor',
  'Upload-Only',
  'Client-Tasking',
];

const rows = MATRIX.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/))
  .map(([permission, ...marks]) => ({ permission, marks }));

describe('roles', () => {
  // Users who see only some environments receive selectors and answers without the others, so saving these would remove the others.
  it('lets no one who may be limited to environments change shared data', () => {
    const limitable = ROLES.filter(({ environmentsLimitable }) => environmentsLimitable);
    expect(limitable.map(({ name }) => name)).toEqual(['User', 'Read-Only']);
    for (const { permissions } of limitable)
      for (const shared of [
        'graphdb/Write',
        'graphdb/Mutate',
        'opengraph/Write',
        'risks/ManageRisks',
      ] as const)
        expect(permissions.has(shared)).toBe(false);
  });

  it('lists exactly the permissions of the matrix', () => {
    expect(PERMISSIONS.map((permission) => permission.fullName).sort()).toEqual(
      rows.map((row) => row.permission).sort(),
    );
  });

  it.each(COLUMNS.map((name, column) => ({ name, column })))(
    'grants $name the permissions in its column',
    ({ name, column }) => {
      const granted = rows.filter((row) => row.marks[column] === 'x').map((row) => row.permission);
      expect([...roleByName(name).permissions].sort()).toEqual(granted.sort());
    },
  );

  it('numbers roles and permissions without duplicates', () => {
    expect(new Set(ROLES.map((role) => role.id)).size).toBe(ROLES.length);
    expect(new Set(PERMISSIONS.map((permission) => permission.id)).size).toBe(PERMISSIONS.length);
  });

  it('prevents the assignment of the collectors’ role to users', () => {
    expect(ROLES.filter((role) => !role.assignable).map((role) => role.name)).toEqual(['Client-Tasking']);
  });
});
