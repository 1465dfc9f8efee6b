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
    events:
      'events 2887 (once a day, the number of binds) and 2889 (each client and its account) in the Directory Service log',
    ...{ days: 14, empty: 'On all domain controllers, event 2889 names no client that is still needed.' },
  },
  'controllers-channel-binding': {
    record:
      'On every domain controller, set LdapEnforceChannelBinding to 1 ("When supported"), and "16 LDAP Interface Events" to 2.',
    events:
      'event 3039 in the Directory Service log, and 3074 and 3075 on domain controllers with the updates of January 2024',
    ...{ days: 14, empty: 'On all domain controllers, these events name no client that is still needed.' },
  },
  'computer-smb-signing': {
    record:
      'On the computer, enable the policy "Audit client does not support signing" (Lanman Server). All versions with the updates of September 2025 have it; elsewhere, Get-SmbSession shows which sessions are signed.',
    events: 'all events about signing in the log Microsoft-Windows-SMBServer/Audit',
    ...{ days: 14, empty: 'No client that is still needed connects without signing.' },
  },
  'domain-smb-signing': {
    record:
      'On a few computers of each kind, enable the policy "Audit client does not support signing" (Lanman Server). All versions with the updates of September 2025 have it; elsewhere, Get-SmbSession shows which sessions are signed.',
    events: 'all events about signing in the log Microsoft-Windows-SMBServer/Audit',
    ...{
      days: 14,
      empty: 'No client that is still needed connects to any of these computers without signing.',
    },
  },
  'controllers-certificate-binding': {
    record:
      'Set StrongCertificateBindingEnforcement to 1 (compatibility) where it is 0; the events are then recorded without another setting.',
    events: 'events 39, 40 and 41 of Kdcsvc in the System log of every domain controller',
    ...{ days: 30, empty: 'On all domain controllers, events 39 to 41 name no certificate in use.' },
  },
  'controllers-certificate-mapping': {
    record:
      'List the servers that accept certificates over TLS, such as VPN gateways and web servers, and keep their sign-in logs.',
    events: 'sign-ins with a certificate in the logs of these servers, with the account and the issuer',
    ...{
      days: 14,
      empty: 'No sign-in depends on the UPN in a certificate: the accounts have a strong mapping.',
    },
  },
  'authority-web-enrollment': {
    record:
      'On the host of the CA, keep the IIS logs (W3C, with cs-username and c-ip) of the CertSrv and enrollment web service sites.',
    events: 'requests to /certsrv/ and to the enrollment web service in the IIS logs',
    ...{
      days: 30,
      empty: 'No one enrolls through these pages, or everyone who does has another way to enroll.',
    },
  },
  'controllers-netlogon-exceptions': {
    record: 'No setting is necessary.',
    events: 'events 5830 and 5831 of Netlogon in the System log of every domain controller',
    ...{ days: 30, empty: '5830 and 5831 name no device that is still needed.' },
  },
};

/** @returns `undefined` for a change without known risks for old clients */
export const beforeChange = ({ kind }: Pick<KitFacts, 'kind'>): BeforeChange | undefined => BEFORE[kind];
