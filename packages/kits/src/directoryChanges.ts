/** Changes of Active Directory objects: entries, owners, members, bits and values of attributes, containers. */
import type { KitFacts, KitObject, KitRelation } from '@clew/planning';
import type { Maker, Manual, Scripted, Settings } from './change.ts';
import { folderSteps } from './gpoFolder.ts';
import { baseOf, dnsName, domainOf, known, NotScripted, policyNameOf, sidOf, sidText } from './ids.ts';
import type { Literal } from './literal.ts';
import { FULL_CONTROL, type Mark, RIGHTS } from './rights.ts';

/** Schema classes by kind; empty if a kind has several. */
const CLASSES: Readonly<Record<string, string>> = {
  User: 'user',
  Computer: 'computer',
  Group: 'group',
  OU: 'organizationalUnit',
  GPO: 'groupPolicyContainer',
  Domain: 'domainDNS',
  CertTemplate: 'pKICertificateTemplate',
  EnterpriseCA: 'pKIEnrollmentService',
};

const classOf = ({ kind }: KitObject): string => CLASSES[kind] ?? '';

/** @throws NotScripted if the change affects no principal */
export function principalOf({ principal }: KitFacts): KitObject {
  if (principal === undefined) throw new NotScripted('The change has no principal.');
  return principal;
}

const lists = (marks: readonly Mark[]): Literal => marks.map((mark) => ({ ...mark }));

const ACCESS_LIST: Settings = { Attribute: 'nTSecurityDescriptor', NewOwner: '', Operation: 'RemoveEntries' };

/** The lists with the entries: for inherited entries, the list of the container; for copies of AdminSDHolder, its list as well. */
function placesOf({ object, removed, facts }: KitFacts): Literal {
  const Base = baseOf(object, 'the object');
  const { container, protection } = facts;
  const places: { Kind: string; Base: string }[] = [];
  if (protection !== undefined && 'value' in protection && protection.value !== null) {
    if (protection.value !== 'own') places.push({ Kind: 'AdminSDHolder', Base: '' });
    places.push({ Kind: 'Object', Base });
  } else {
    if (removed.some(({ isInherited }) => !isInherited)) places.push({ Kind: 'Object', Base });
    if (removed.some(({ isInherited }) => isInherited))
      places.push(
        container !== undefined && 'value' in container && container.value !== null
          ? { Kind: 'Container', Base: baseOf(container.value, 'the container of the entry') }
          : { Kind: 'Above', Base },
      );
  }
  return places;
}

/** Access lists stored outside the directory object. */
function ofAuthority(removed: readonly KitRelation[]): Manual {
  const rights = [...new Set(removed.map(({ relation }) => relation))].join(', ');
  return {
    why: 'The access control list of a CA is stored in the registry of its host, and the CA console writes it.',
    steps: [
      'Open the Certification Authority console (certsrv.msc) on the host of the CA, its properties, and the Security tab.',
      `Record the present list, then remove ${rights} from the principal.`,
      'To undo the change, grant the recorded rights to the principal again.',
    ],
  };
}

export const removeEntries: Maker = (facts) => {
  const { object, removed } = facts;
  const principal = principalOf(facts);
  if (object.kind === 'EnterpriseCA') return ofAuthority(removed);
  const rights = removed.map(({ relation }) => relation as string);
  const common = { Domain: domainOf(object, 'the object'), Object: baseOf(object, 'the object') };
  const Principal = sidOf(principal, 'the principal');
  if (rights.length === 0) throw new NotScripted('The change has no right.');
  if (rights.every((name) => name === 'ReadGMSAPassword'))
    return descriptor(common, Principal, 'msDS-GroupMSAMembership', classOf(object));
  const unknown = rights.filter((name) => RIGHTS[name] === undefined);
  if (unknown.length > 0)
    throw new NotScripted(`No access control entry is known for ${unknown.join(', ')}.`);
  const marks = rights.flatMap((name) => RIGHTS[name] ?? []);
  return {
    ...folderSteps(object, Principal),
    engine: 'AccessList',
    settings: {
      ...ACCESS_LIST,
      ...common,
      ...{ Principal, Class: classOf(object) },
      Places: placesOf(facts),
      Marks: lists(marks),
      TakesFullControl: marks.some((mark) => FULL_CONTROL.includes(mark)),
    },
    needs: 'WriteDacl on the object whose access control list has the entry',
    undo: 'the removed rights, entry by entry',
  };
};

const descriptor = (common: Settings, Principal: string, Attribute: string, Class: string): Scripted => ({
  engine: 'AccessList',
  settings: {
    ...ACCESS_LIST,
    ...common,
    ...{ Principal, Class, Attribute, Marks: [], TakesFullControl: true },
    Places: [{ Kind: 'Object', Base: common.Object as string }],
  },
  needs: `write ${Attribute} of the object`,
  undo: 'the removed entries',
});

export const changeOwner: Maker = (facts) => {
  const { object } = facts;
  const Principal = sidOf(principalOf(facts), 'the owner');
  return {
    ...folderSteps(object, Principal),
    engine: 'AccessList',
    settings: {
      ...ACCESS_LIST,
      ...{ Domain: domainOf(object, 'the object'), Object: baseOf(object, 'the object') },
      ...{ Operation: 'SetOwner', Principal, Class: classOf(object) },
      NewOwner: sidText(known(facts.facts['new-owner']), 'the new owner'),
      ...{ Places: [], Marks: [], TakesFullControl: false },
    },
    needs:
      'WriteOwner on the object, and the restore privilege, because the new owner is not the account that runs the script',
    undo: 'the previous owner',
  };
};

export const removeMember: Maker = (facts) => {
  const { object } = facts;
  const principal = principalOf(facts);
  return {
    engine: 'Member',
    settings: {
      ...{ Domain: domainOf(object, 'the group'), Group: baseOf(object, 'the group') },
      Member: baseOf(principal, 'the member'),
      // A foreign principal has an object in the group's domain, which the engine finds by SID.
      MemberDomain:
        principal.domain === null ? domainOf(object, 'the group') : domainOf(principal, 'the member'),
    },
    needs: 'write the attribute member of the group',
    undo: 'the membership',
  };
};

interface AttributeChange {
  readonly object: KitObject;
  readonly attribute: string;
  readonly operation: string;
  readonly number?: number;
  readonly values?: readonly string[];
  readonly valuesOf?: readonly { readonly Base: string; readonly Attribute: string }[];
  /** Settings of this operation alone. */
  readonly further?: Settings;
  readonly needs: string;
  readonly undo: string | null;
}

export function attribute(change: AttributeChange): Scripted {
  const { object, number = 0, values = [], valuesOf = [], further = {}, needs, undo } = change;
  return {
    engine: 'Attribute',
    settings: {
      ...{ Domain: domainOf(object, 'the object'), Object: baseOf(object, 'the object') },
      Class: classOf(object),
      ...{ Attribute: change.attribute, Operation: change.operation, Number: number },
      ...{ Values: values, ValuesOf: valuesOf, ...further },
    },
    ...{ needs, undo },
  };
}

/** Source: MS-ADTS 2.2.16. */
const TRUSTED_FOR_DELEGATION = 0x80000;
const TRUSTED_TO_AUTHENTICATE = 0x1000000;
/**
 * Bits that need a privilege of the domain controller in addition to the right to write. Source: Microsoft, "Enable computer
 * and user accounts to be trusted for delegation".
 */
const DELEGATION_BITS = TRUSTED_FOR_DELEGATION | TRUSTED_TO_AUTHENTICATE;
const DELEGATION_PRIVILEGE = 'SeEnableDelegationPrivilege, which Domain Admins have';

/** Bits of userAccountControl of a user or computer. */
export const accountBits = (
  object: KitObject,
  operation: 'ClearBits' | 'SetBits',
  number: number,
): Scripted =>
  attribute({
    ...{ object, attribute: 'userAccountControl', operation, number, undo: 'the changed bits' },
    needs: `write userAccountControl of the account${(number & DELEGATION_BITS) === 0 ? '' : `, and ${DELEGATION_PRIVILEGE}`}`,
  });

export const OWNER_OF_TEMPLATES = 'Enterprise Admins, or the owner of the template';

/** Bits of msPKI-Enrollment-Flag. Source: MS-CRTD 2.26. */
const PEND_ALL_REQUESTS = 0x2;
const NO_SECURITY_EXTENSION = 0x80000;

const enrollmentBits =
  (operation: string, number: number): Maker =>
  ({ object }) =>
    attribute({
      ...{ object, attribute: 'msPKI-Enrollment-Flag', operation, number },
      ...{ needs: OWNER_OF_TEMPLATES, undo: 'the changed bits' },
    });

export const templateApproval = enrollmentBits('SetBits', PEND_ALL_REQUESTS);
export const templateExtension = enrollmentBits('ClearBits', NO_SECURITY_EXTENSION);

export const unpublish: Maker = (facts) =>
  attribute({
    ...{ object: facts.object, attribute: 'certificateTemplates', operation: 'RemoveValues' },
    // CAs identify templates by common name, and collections by GUID.
    valuesOf: [{ Base: baseOf(principalOf(facts), 'the template'), Attribute: 'cn' }],
    ...{
      needs: 'Enterprise Admins, or write access to the object of the CA',
      undo: 'the name of the template',
    },
  });

export const computerQuota: Maker = ({ object }) =>
  attribute({
    ...{ object, attribute: 'ms-DS-MachineAccountQuota', operation: 'SetNumber', number: 0 },
    ...{ needs: 'write ms-DS-MachineAccountQuota of the domain', undo: 'the previous number' },
  });

export const removeDelegation: Maker = (facts) => {
  const { object, relations } = facts;
  const principal = principalOf(facts);
  if (relations.includes('AllowedToAct')) {
    const common = { Domain: domainOf(object, 'the object'), Object: baseOf(object, 'the object') };
    const name = 'msDS-AllowedToActOnBehalfOfOtherIdentity';
    return descriptor(common, sidOf(principal, 'the principal'), name, classOf(object));
  }
  if (relations.includes('CoerceToTGT')) return accountBits(object, 'ClearBits', TRUSTED_FOR_DELEGATION);
  const host = dnsName(principal.name);
  if (host === '' || principal.kind !== 'Computer')
    throw new NotScripted('The target of the delegation is not a known host.');
  const short = host.split('.')[0] as string;
  return attribute({
    ...{ object, attribute: 'msDS-AllowedToDelegateTo', operation: 'RemoveServices', values: [host, short] },
    needs: `write msDS-AllowedToDelegateTo of the account, and ${DELEGATION_PRIVILEGE}`,
    undo: 'the removed service principal names',
  });
};

export const clearSidHistory: Maker = (facts) =>
  attribute({
    ...{ object: facts.object, attribute: 'sIDHistory', operation: 'RemoveSid' },
    values: [sidOf(principalOf(facts), 'the history')],
    ...{ needs: 'Domain Admins', undo: null },
  });

export const unlinkPolicy: Maker = (facts) =>
  attribute({
    ...{ object: principalOf(facts), attribute: 'gPLink', operation: 'RemoveLink' },
    // The policy may be of another domain, whose objects the controller of the container does not have.
    values: [policyNameOf(known(facts.facts['policy-name']), facts.object)],
    needs: 'write gPLink of the container',
    undo: 'the link, at its position in the link order, and enforced as before',
  });

export const moveObject: Maker = (facts) => {
  const { object } = facts;
  if (object.tenant !== null || object.domain === null)
    return {
      why: 'A move in Azure creates a new resource ID, and rights of the scope above stay.',
      steps: ['Instead of moving the object, remove the rights at the scope above from their holders.'],
    };
  return {
    engine: 'Move',
    settings: {
      ...{ Domain: domainOf(object, 'the object'), Object: baseOf(object, 'the object') },
      ...{ Class: classOf(object), OldParent: baseOf(principalOf(facts), 'the container') },
    },
    needs: 'create objects in the new container, and delete this object in the present one',
    undo: 'the previous container',
    asks: '-Target: the GUID of the new container. If the new container is inside the scope that has the right, the right stays.',
  };
};
