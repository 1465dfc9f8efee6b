/** Domains. Rule: `docs/reference/collections.md#domains`. */
import { member } from '../json/member.ts';
import { isObject, type JsonObject } from '../json/value.ts';
import type { DirectoryObject } from './directoryObject.ts';
import { directoryType, readChildObjects, readInheritanceHashes } from './directoryType.ts';
import { readPolicyChanges, readPolicyLinks } from './groupPolicy.ts';
import { isSid } from './sid.ts';
import { readTrusts } from './trusts.ts';

export const domains = directoryType({
  type: 'domains',
  kind: 'Domain',
  isContained: false,
  idOf: sidOfDomain,
  read: (domain) => {
    mendPolicyProperties(domain);
    noteCollected(domain);
    readChildObjects(domain);
    readPolicyLinks(domain);
    readPolicyChanges(domain);
    readTrusts(domain);
    readInheritanceHashes(domain);
  },
});

/** The SID of an account has an additional part. */
const SID_OF_DOMAIN = /^S-1-5-21-\d+-\d+-\d+$/;

/** One collector writes the object's GUID as its id, but all other references to a domain use its SID. */
function sidOfDomain(json: JsonObject): string | undefined {
  const properties = member(json, 'Properties');
  const id = member(json, 'ObjectIdentifier');
  if (!isObject(properties ?? null) || typeof id !== 'string' || isSid(id.toUpperCase())) return undefined;
  const { domainsid } = properties as JsonObject;
  if (typeof domainsid !== 'string') return undefined;
  const sid = domainsid.toUpperCase();
  return SID_OF_DOMAIN.test(sid) ? sid : undefined;
}

/**
 * Some collectors omit the property. Collected domains have an access list, which domains that are only named by a trust lack. An explicit
 * "not collected" is kept.
 */
function noteCollected({ properties, isStub, json }: DirectoryObject): void {
  const entries = member(json, 'Aces');
  if (isStub || typeof properties.collected === 'boolean') return;
  if (Array.isArray(entries) && entries.length > 0) properties.collected = true;
}

const WHOLE_NUMBERS = [
  'machineaccountquota',
  'minpwdlength',
  'pwdproperties',
  'pwdhistorylength',
  'lockoutthreshold',
] as const;

const TRUE_OR_FALSE = 'expirepasswordsonsmartcardonlyaccounts';

/** Collectors write some policy values of the domain as text; rules compare numbers. */
function mendPolicyProperties({ properties, problems }: DirectoryObject): void {
  for (const name of WHOLE_NUMBERS) {
    const value = properties[name];
    if (value === undefined || typeof value === 'bigint' || Number.isInteger(value)) continue;
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && Number.isFinite(number)) {
      properties[name] = Math.trunc(number);
      problems.repair(`the property "${name}" was converted to a whole number`);
    } else remove(name);
  }
  const value = properties[TRUE_OR_FALSE];
  if (value === undefined || typeof value === 'boolean') return;
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (text === 'true' || text === 'false') {
    properties[TRUE_OR_FALSE] = text === 'true';
    problems.repair(`the property "${TRUE_OR_FALSE}" was converted to true or false`);
  } else remove(TRUE_OR_FALSE);

  function remove(name: string): void {
    const isNothing = properties[name] === null;
    delete properties[name];
    if (!isNothing) problems.repair(`the property "${name}" has no usable value and was skipped`);
  }
}
