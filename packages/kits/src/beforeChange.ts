/**
 * Settings that old clients may not support: what to record before the change and for how long, and which results must be empty before the
 * change is made.
 */
import type { KitFacts } from '@clew/planning';

export interface BeforeChange {
  /** How to enable recording. */
  readonly record: string;
  /** Events, and the logs that contain them. */
  readonly events: string;
  readonly days: number;
  /** The result that must be empty before the change. */
  readonly empty: string;
}

const BEFORE: Readonly<Partial<Record<KitFacts['kind'], BeforeChange>>> = {
  'controllers-ldap-signing': {
    record:
      'On every domain controller, set "16 LDAP Interface Events" to 2 under HKLM\\SYSTEM\\CurrentControlSet\\Services\\NTDS\\Diagnostics.',
    events: '2887 (once a day, how many) and 2889 (each client and its account) of the log Directory Service',
    ...{ days: 14, empty: '2889 names no client that is still needed, on any controller.' },
  },
  'controllers-channel-binding': {
    record:
      'On every domain controller, set LdapEnforceChannelBinding to 1 (when supported), and "16 LDAP Interface Events" to 2.',
    events:
      '3039, and 3074 and 3075 of controllers with the updates of January 2024, of the log Directory Service',
    ...{ days: 14, empty: 'None of them names a client that is still needed, on any controller.' },
  },
  'computer-smb-signing': {
    record:
      'On the computer, switch on the policy "Audit client does not support signing" (Lanman Server), which all versions with the updates of September 2025 have; elsewhere, Get-SmbSession shows which sessions are signed.',
    events: 'all of the log Microsoft-Windows-SMBServer/Audit that are about signing',
    ...{ days: 14, empty: 'No client that is still needed is without signing.' },
  },
  'domain-smb-signing': {
    record:
      'On a few computers of each kind, switch on the policy "Audit client does not support signing" (Lanman Server), which all versions with the updates of September 2025 have; elsewhere, Get-SmbSession shows which sessions are signed.',
    events: 'all of the log Microsoft-Windows-SMBServer/Audit that are about signing',
    ...{ days: 14, empty: 'No client that is still needed is without signing, on any of these computers.' },
  },
  'controllers-certificate-binding': {
    record:
      'Set StrongCertificateBindingEnforcement to 1 (compatibility) where it is 0; the events are then written without a further switch.',
    events: '39, 40 and 41 of Kdcsvc in the log System of every domain controller',
    ...{ days: 30, empty: '39 to 41 name no certificate that is in use, on any controller.' },
  },
  'controllers-certificate-mapping': {
    record:
      'List the servers that take certificates over TLS, such as VPN gateways and web servers, and keep their logs of sign-ins.',
    events: 'sign-ins with a certificate in the logs of these servers, with the account and the issuer',
    ...{
      days: 14,
      empty: 'No sign-in rests on the UPN in a certificate: the accounts have a strong mapping.',
    },
  },
  'authority-web-enrollment': {
    record:
      'On the host of the authority, keep the logs of IIS (W3C, with cs-username and c-ip) of the sites CertSrv and the enrollment web service.',
    events: 'requests to /certsrv/ and to the enrollment web service, in the logs of IIS',
    ...{ days: 30, empty: 'No one enrolls over these pages, or all who do have another way.' },
  },
  'controllers-netlogon-exceptions': {
    record: 'Nothing has to be switched on.',
    events: '5830 and 5831 of Netlogon in the log System of every domain controller',
    ...{ days: 30, empty: '5830 and 5831 name no device that is still needed.' },
  },
};

/** @returns `undefined` for a change without known risks for old clients */
export const beforeChange = ({ kind }: Pick<KitFacts, 'kind'>): BeforeChange | undefined => BEFORE[kind];
