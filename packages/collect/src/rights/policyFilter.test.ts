import { expect, it } from 'vitest';
import { descriptorBytes, type EntryText } from '../../test/descriptors.ts';
import { RIGHT, readDescriptor } from '../descriptor/securityDescriptor.ts';
import { policyFilter } from './policyFilter.ts';

const APPLY = 'edacfd8f-ffb3-11d1-b41d-00a0c968f939';
const ALL = 'S-1-5-11';
const TEAM = 'S-1-5-21-1-2-3-1103';
const read = (sid: string, more: Partial<EntryText> = {}): EntryText => ({ sid, mask: RIGHT.read, ...more });
const apply = (sid: string, more: Partial<EntryText> = {}): EntryText => ({
  ...{ sid, mask: RIGHT.extended, objectType: APPLY, ...more },
});
const filterOf = (entries: readonly EntryText[] | undefined) =>
  policyFilter(readDescriptor(descriptorBytes('S-1-5-32-544', entries)));

it('has no filter if all authenticated users may read and apply the policy', () => {
  expect(filterOf([read(ALL), apply(ALL)])).toBe('none');
  expect(filterOf([read('S-1-1-0'), apply('S-1-1-0')])).toBe('none');
  expect(filterOf([{ sid: ALL, mask: RIGHT.all }])).toBe('none');
  expect(filterOf(undefined)).toBe('none');
  // Editing rights of a group do not filter.
  expect(filterOf([read(ALL), apply(ALL), { sid: TEAM, mask: RIGHT.all }])).toBe('none');
});

it('is filtered if only a group may apply it, or all may apply but not read it', () => {
  expect(filterOf([read(ALL), read(TEAM), apply(TEAM)])).toBe('groups');
  expect(filterOf([apply(ALL), read(TEAM)])).toBe('groups');
  expect(filterOf([read(ALL), apply(ALL, { flags: 0x8 })])).toBe('groups');
  expect(filterOf([read(ALL), apply(ALL, { objectType: '00299570-246d-11d0-a768-00aa006e0529' })])).toBe(
    'groups',
  );
  expect(filterOf([read(ALL), apply(ALL, { condition: Buffer.from('artx') })])).toBe('groups');
  expect(filterOf([apply(ALL, { isDenied: true }), read(ALL), apply(ALL)])).toBe('groups');
  expect(filterOf([])).toBe('groups');
});

it('names denials separately', () => {
  expect(filterOf([apply(TEAM, { isDenied: true }), read(ALL), apply(ALL)])).toBe('denied');
  expect(filterOf([read(TEAM, { isDenied: true }), read(ALL), apply(ALL)])).toBe('denied');
  expect(filterOf([{ sid: TEAM, mask: RIGHT.writeDacl, isDenied: true }, read(ALL), apply(ALL)])).toBe(
    'none',
  );
});
