/**
 * Settings of computers that are collected over the network and become properties: NTLM, SMB, registry of domain controllers, state of
 * LDAP.
 *
 * Rules: `docs/reference/collections.md#computers`.
 */
import type { PropertyValue } from '@clew/model';
import type { DirectoryObject } from './directoryObject.ts';
import type { Members } from './members.ts';
import { Method } from './methods.ts';

export function readComputerSettings(computer: DirectoryObject): void {
  const { properties } = computer;
  const webClient = computer.collected('IsWebClientRunning')?.flag('Result');
  if (webClient !== undefined) properties.webclientrunning = webClient;
  const signing = computer.collected('SmbInfo')?.child('Result')?.flag('SigningEnabled');
  if (signing !== undefined) properties.smbsigning = signing;
  readNtlm(computer);
  readControllerRegistry(computer);
  renameProperty(properties, 'ldapenabled', 'ldapavailable');
  renameProperty(properties, 'ldapsenabled', 'ldapsavailable');
}

/** How each registry value is converted. */
const NTLM_SETTINGS: readonly (readonly [
  member: string,
  property: string,
  read: (result: Members, member: string) => PropertyValue | undefined,
])[] = [
  ['RestrictSendingNtlmTraffic', 'restrictoutboundntlm', isDenied],
  // The schema swaps the letters of "ntlm", and clients use this name.
  ['RestrictReceivingNTLMTraffic', 'restrictreceivingntmltraffic', isDenied],
  ['RequireSecuritySignature', 'requiresecuritysignature', isSet],
  ['EnableSecuritySignature', 'enablesecuritysignature', isSet],
  ['NtlmMinClientSec', 'ntlmminclientsec', asIs],
  ['NtlmMinServerSec', 'ntlmminserversec', asIs],
  ['LmCompatibilityLevel', 'lmcompatibilitylevel', asIs],
  ['UseMachineId', 'usemachineid', isSet],
  ['ClientAllowedNTLMServers', 'clientallowedntlmservers', (result, member) => result.texts(member)],
];

/** Writes all values, because a value that a newer collection lacks no longer exists. */
function readNtlm(computer: DirectoryObject): void {
  const registry = computer.collected('NTLMRegistryData');
  if (registry === undefined) return;
  const result = registry.child('Result');
  for (const [member, property, read] of NTLM_SETTINGS) {
    computer.properties[property] = (result && read(result, member)) ?? null;
  }
}

const DENY = 2;

function isDenied(result: Members, member: string): boolean | undefined {
  const value = result.number(member);
  return value === undefined ? undefined : value === DENY;
}

function isSet(result: Members, member: string): boolean | undefined {
  const value = result.number(member);
  return value === undefined ? undefined : value !== 0;
}

function asIs(result: Members, member: string): number | undefined {
  return result.number(member);
}

const NO_VALUE = -1;
const NO_VALUE_TEXT = 'Registry value does not exist';

const MAPPING_METHODS: readonly (readonly [bit: number, text: string])[] = [
  [0x01, '0x01: One-to-one (subject/issuer)'],
  [0x02, '0x02: Many-to-one (issuer certificate)'],
  [0x04, '0x04: User principal name (UPN/SAN)'],
  [0x08, '0x08: Kerberos service-for-user (S4U) certificate'],
  [0x10, '0x10: Kerberos service-for-user (S4U) explicit certificate'],
];

const BINDING_ENFORCEMENT: ReadonlyMap<number, string> = new Map([
  [NO_VALUE, NO_VALUE_TEXT],
  [0, 'Disabled'],
  [1, 'Compatibility mode'],
  [2, 'Full enforcement mode'],
]);

function readControllerRegistry(computer: DirectoryObject): void {
  const { properties, file } = computer;
  const registry = computer.child('DCRegistryData');
  const mapping = registry?.collected('CertificateMappingMethods')?.number('Value');
  if (mapping !== undefined) {
    properties.certificatemappingmethodsraw = mapping;
    properties.certificatemappingmethods =
      mapping === NO_VALUE
        ? [NO_VALUE_TEXT]
        : MAPPING_METHODS.filter(([bit]) => (mapping & bit) !== 0).map(([, text]) => text);
  }
  const binding = registry?.collected('StrongCertificateBindingEnforcement')?.number('Value');
  if (binding !== undefined) {
    properties.strongcertificatebindingenforcementraw = binding;
    properties.strongcertificatebindingenforcement = BINDING_ENFORCEMENT.get(binding) ?? null;
  }
  const netlogon = registry?.collected('VulnerableNetlogonSecurityDescriptor');
  if (netlogon !== undefined) properties.vulnerablenetlogonsecuritydescriptor = netlogon.text('Value');
  // Written for every computer, to distinguish "not examined" from "nothing found"; not written for runs with other methods, or without
  // named methods.
  if (netlogon !== undefined || (file.namesMethods && file.covers(Method.DcRegistry))) {
    properties.vulnerablenetlogonsecuritydescriptorcollected = netlogon !== undefined;
  }
}

function renameProperty(properties: Record<string, PropertyValue>, from: string, to: string): void {
  const value = properties[from];
  if (value === undefined) return;
  delete properties[from];
  properties[to] = value;
}
