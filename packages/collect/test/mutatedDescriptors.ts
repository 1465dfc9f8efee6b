/** Security descriptors with hostile mutations. */
import { DescriptorError } from '../src/descriptor/ids.ts';
import { readDescriptor } from '../src/descriptor/securityDescriptor.ts';
import { descriptorBytes, type EntryText } from './descriptors.ts';
import { type MutationCounts, readMutations } from './mutations.ts';

const USER = 'S-1-5-21-1-2-3-1105';
const TYPE = '00299570-246d-11d0-a768-00aa006e0529';
const ENTRIES: readonly EntryText[] = [
  { sid: USER, mask: 0xf01ff },
  { sid: 'S-1-1-0', mask: 0x100, isDenied: true, objectType: TYPE },
  { sid: USER, mask: 0x20, flags: 0x1a, objectType: TYPE, inheritedObjectType: TYPE },
  { sid: USER, mask: 0x20, condition: Buffer.from('artx condition') },
  { sid: 'S-1-5-11', mask: 0x10000000, flags: 0xb },
];
const SEEDS = [
  descriptorBytes('S-1-5-32-544', ENTRIES),
  descriptorBytes(USER, [], true),
  descriptorBytes(
    USER,
    Array.from({ length: 40 }, (_, at) => ENTRIES[at % ENTRIES.length]),
  ),
];

/** @throws errors of the reader other than DescriptorError */
export const readMutatedDescriptors = (count: number): MutationCounts =>
  readMutations(SEEDS, count, (bytes) => void readDescriptor(bytes), DescriptorError);
