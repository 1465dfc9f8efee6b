import { EDGE_KINDS } from '@clew/model';
import { expect, it } from 'vitest';
import { directoryRight, headWords } from './directoryRights.ts';

it('names rights as the tools of Windows do, and other relationships not at all', () => {
  expect(directoryRight('GetChanges')).toBe('Replicating Directory Changes');
  expect(directoryRight('GetChangesAll')).toBe('Replicating Directory Changes All');
  for (const kind of ['MemberOf', 'HasSession', 'Owns', 'DCSync', 'SyncLAPSPassword', 'toString'])
    expect(directoryRight(kind)).toBeUndefined();
  expect(headWords('Domain')).toBe(', the domain head');
  expect(headWords('User')).toBe('');
});

it('names kinds that exist', () => {
  const named = EDGE_KINDS.filter(({ name }) => directoryRight(name) !== undefined);
  expect(named.length).toBe(25);
});
