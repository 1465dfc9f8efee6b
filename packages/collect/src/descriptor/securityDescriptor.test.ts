import { expect, it } from 'vitest';
import { descriptorBytes, guidBytes, sidBytes } from '../../test/descriptors.ts';
import { readMutatedDescriptors } from '../../test/mutatedDescriptors.ts';
import { DescriptorError, readGuid, readSid } from './ids.ts';
import { ENTRY_FLAG, RIGHT, readDescriptor } from './securityDescriptor.ts';

const USER = 'S-1-5-21-824510414-3266844616-3608725444-1105';
const RESET = '00299570-246d-11d0-a768-00aa006e0529';

it('reads ids, including the longest and those with large authorities', () => {
  for (const sid of [USER, 'S-1-1-0', 'S-1-5-32-544', `S-1-5${'-1'.repeat(15)}`])
    expect(readSid(sidBytes(sid))).toEqual({ sid, size: sidBytes(sid).length });
  const large = sidBytes('S-1-5-1');
  large.writeUIntBE(2 ** 40, 2, 6);
  expect(readSid(large).sid).toBe('S-1-0x10000000000-1');
  expect(readGuid(guidBytes(RESET))).toBe(RESET);
  expect(() => readSid(sidBytes(`S-1-5${'-1'.repeat(16)}`))).toThrow(DescriptorError);
  expect(() => readGuid(Buffer.alloc(15))).toThrow(DescriptorError);
});

it('reads the owner, the list, and the parts of each kind of entry', () => {
  const bytes = descriptorBytes(
    'S-1-5-32-544',
    [
      { sid: USER, mask: RIGHT.all },
      { sid: USER, mask: RIGHT.extended, isDenied: true, objectType: RESET },
      { sid: USER, mask: RIGHT.write, flags: ENTRY_FLAG.inherited, inheritedObjectType: RESET },
      { sid: USER, mask: RIGHT.write, condition: Buffer.from('artx') },
      { sid: USER, mask: 0x10000000, flags: ENTRY_FLAG.inheritOnly },
    ],
    true,
  );
  const { owner, entries, hasAccessList, isProtected } = readDescriptor(bytes);
  expect({ owner, hasAccessList, isProtected }).toEqual({
    ...{ owner: 'S-1-5-32-544', hasAccessList: true, isProtected: true },
  });
  const plain = {
    isDenied: false,
    flags: 0,
    objectType: '',
    inheritedObjectType: '',
    sid: USER,
    isConditional: false,
  };
  expect(entries).toEqual([
    { ...plain, mask: RIGHT.all },
    { ...plain, mask: RIGHT.extended, isDenied: true, objectType: RESET },
    { ...plain, mask: RIGHT.write, flags: ENTRY_FLAG.inherited, inheritedObjectType: RESET },
    { ...plain, mask: RIGHT.write, isConditional: true },
    // Generic rights represent all specific ones; controllers keep them in inherit-only entries.
    { ...plain, mask: RIGHT.all, flags: ENTRY_FLAG.inheritOnly },
  ]);
});

it('distinguishes a missing access list from an empty one', () => {
  expect(readDescriptor(descriptorBytes(USER, undefined)).hasAccessList).toBe(false);
  expect(readDescriptor(descriptorBytes(USER, []))).toMatchObject({ hasAccessList: true, entries: [] });
});

it('reads or refuses mutated descriptors', () => {
  const { read, refused } = readMutatedDescriptors(30_000);
  expect(read).toBeGreaterThan(5_000);
  expect(refused).toBeGreaterThan(5_000);
});
