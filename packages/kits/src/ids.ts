/** The facts required by a script, and the ids of objects, each checked against its pattern before it is written. */
import type { KitObject, Known } from '@clew/planning';

/** Thrown for a change that must not be scripted; the message has the reason. */
export class NotScripted extends Error {}

/** @throws NotScripted with a sentence about the missing fact */
export function known<Value>(fact: Known<Value> | undefined): Value {
  if (fact === undefined || 'missing' in fact)
    throw new NotScripted(fact?.missing ?? 'A fact of the change was not collected.');
  return fact.value;
}

/** The GUID is that of the folder of the policy; default policies have the same one in each domain. */
const POLICY_NAME =
  /^cn=\{[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\},cn=policies,cn=system((?:,dc=[a-z\d_-]{1,63}){1,20})$/;
const SID = /^S-1-\d{1,14}(?:-\d{1,10}){1,15}$/;
const GUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const DNS_NAME = /^(?=.{1,255}$)[A-Za-z\d_](?:[A-Za-z\d_-]{0,62})(?:\.[A-Za-z\d_][A-Za-z\d_-]{0,62})*$/;
/**
 * An Azure resource id, consisting of GUIDs and resource names. Names with brackets are excluded: on Windows, `az` is a batch file, in
 * which they end blocks.
 */
const SCOPE = /^\/[A-Za-z\d_.-]{1,90}(?:\/[A-Za-z\d_.-]{1,128}){0,20}$/;

const checked = (pattern: RegExp, text: string | null | undefined, what: string): string => {
  if (text === null || text === undefined) throw new NotScripted(`The collection has no ${what}.`);
  if (!pattern.test(text)) throw new NotScripted(`The ${what} in the collection has an invalid format.`);
  return text;
};

export const sidOf = ({ sid }: Pick<KitObject, 'sid'>, what: string): string =>
  checked(SID, sid, `SID of ${what}`);
export const sidText = (sid: string, what: string): string => checked(SID, sid, `SID of ${what}`);
export const guidText = (guid: string | null | undefined, what: string): string =>
  checked(GUID, guid?.toLowerCase(), `id of ${what}`);
export const scopeText = (scope: string, what: string): string => checked(SCOPE, scope, `scope of ${what}`);

/** @returns the DNS name of a computer; empty for any other name, so that the script asks for a server */
export const dnsName = (name: string): string => (DNS_NAME.test(name) ? name.toLowerCase() : '');

/** @returns an id that LDAP accepts instead of a distinguished name */
export function baseOf({ sid, guid }: KitObject, what: string): string {
  if (guid !== null) return `<GUID=${guidText(guid, what)}>`;
  return `<SID=${checked(SID, sid, `SID or GUID of ${what}`)}>`;
}

/** Name and SID of an object's domain; the name is empty if it is not a DNS name, so that the script asks for a server. */
export function domainOf(
  { domain }: KitObject,
  what: string,
): { readonly Name: string; readonly Sid: string } {
  if (domain === null) throw new NotScripted(`The domain of ${what} was not collected.`);
  return { Name: dnsName(domain.name), Sid: checked(SID, domain.sid, `SID of the domain of ${what}`) };
}

/** @returns the distinguished name in lower case, which is in the domain of the policy */
export function policyNameOf(name: string, policy: KitObject): string {
  const checkedName = checked(POLICY_NAME, name.toLowerCase(), 'distinguished name of the policy');
  const domain = POLICY_NAME.exec(checkedName)?.[1]?.slice(',dc='.length).replaceAll(',dc=', '.');
  if (domain !== domainOf(policy, 'the policy').Name)
    throw new NotScripted(
      'The distinguished name of the policy is not in the collected domain of the policy.',
    );
  return checkedName;
}

export function tenantOf({ tenant }: KitObject, what: string): string {
  return guidText(tenant, `the tenant of ${what}`);
}
