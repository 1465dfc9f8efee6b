/**
 * Accounts whose password Windows manages. Some collectors list them as users without a mark: then the class, the account type, or the `$`
 * at the end of the name identifies them. Rule: `docs/reference/collections.md#users`.
 */
import type { DirectoryObject } from './directoryObject.ts';

const CLASSES: readonly (readonly [part: string, property: 'gmsa' | 'msa'])[] = [
  ['msds-groupmanagedserviceaccount', 'gmsa'],
  ['msds-delegatedmanagedserviceaccount', 'gmsa'],
  ['msds-managedserviceaccount', 'msa'],
];

/** `SAM_MACHINE_ACCOUNT` and `SAM_TRUST_ACCOUNT` (MS-SAMR 2.2.1.9). */
const MACHINE_ACCOUNT = 0x3000_0001;
const TRUST_ACCOUNT = 0x3000_0002;
/** `UF_INTERDOMAIN_TRUST_ACCOUNT` and `UF_WORKSTATION_TRUST_ACCOUNT` (MS-ADTS 2.2.16). */
const TRUST_BIT = 0x800;
const WORKSTATION_BIT = 0x1000;

export function markManagedAccount({ properties, problems, isStub }: DirectoryObject): void {
  if (isStub || properties.gmsa === true || properties.msa === true) return;
  const ofClass = managedClass(properties.objectclass);
  if (ofClass !== undefined) {
    properties[ofClass] = true;
    return;
  }
  const [type, control] = [number(properties.samaccounttype), number(properties.useraccountcontrol)];
  // The account of a trust also ends with `$`, but is not a service account.
  if (type === TRUST_ACCOUNT || (control & TRUST_BIT) !== 0) return;
  const isMachine = type === MACHINE_ACCOUNT || (control & WORKSTATION_BIT) !== 0;
  const isMarked = typeof properties.gmsa === 'boolean' || typeof properties.msa === 'boolean';
  const name = properties.samaccountname;
  if (!isMachine && (isMarked || typeof name !== 'string' || !name.endsWith('$'))) return;
  properties.gmsa = true;
  problems.note(
    'users with the account type of a computer, or with a name that ends with $, count as managed service accounts',
  );
}

/** Whether the record describes a managed service account. */
export const isManagedAccount = ({ properties }: Pick<DirectoryObject, 'properties'>): boolean =>
  properties.gmsa === true || properties.msa === true || managedClass(properties.objectclass) !== undefined;

function managedClass(value: unknown): 'gmsa' | 'msa' | undefined {
  const classes = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
  const text = classes.join(' ').toLowerCase();
  return CLASSES.find(([part]) => text.includes(part))?.[1];
}

const number = (value: unknown): number =>
  typeof value === 'number'
    ? value
    : typeof value === 'string' && /^\d{1,10}$/.test(value)
      ? Number(value)
      : 0;
