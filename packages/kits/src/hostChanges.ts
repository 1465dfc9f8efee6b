/** Changes on hosts and through policies: registry values, local groups, security settings, logon rights. */
import { DENIED_GROUPS, type KitFacts, type KitObject, serviceWarning } from '@clew/planning';
import type { Maker, Manual, Scripted } from './change.ts';
import { removeMember } from './directoryChanges.ts';
import { baseOf, dnsName, domainOf, known, NotScripted, sidOf, sidText } from './ids.ts';
import type { Literal } from './literal.ts';

const hostOf = (host: KitObject): { readonly Name: string; readonly Sid: string } => ({
  ...{ Name: dnsName(host.name), Sid: sidOf(host, 'the host') },
});

interface RegistryChange {
  readonly key: string;
  readonly value: string;
  readonly operation: 'ClearBits' | 'SetBits' | 'SetNumber' | 'RemoveText' | 'DeleteValue';
  readonly number?: number;
  readonly text?: string;
  readonly service?: string;
  readonly needs: string;
}

const registry = (hosts: readonly KitObject[], change: RegistryChange): Scripted => ({
  engine: 'Registry',
  settings: {
    Hosts: hosts.map(hostOf),
    ...{ RegistryKey: change.key, Value: change.value, Operation: change.operation },
    ...{ Number: change.number ?? 0, Text: change.text ?? '', Service: change.service ?? '' },
  },
  needs: change.needs,
  undo: 'the changed part of the value, on each host',
});

const AUTHORITY = 'SYSTEM\\CurrentControlSet\\Services\\CertSvc\\Configuration\\{Active}';
const MODULE = `${AUTHORITY}\\PolicyModules\\CertificateAuthority_MicrosoftDefault.Policy`;

const atAuthority =
  (change: Omit<RegistryChange, 'needs' | 'service'>): Maker =>
  ({ facts }) =>
    registry([known(facts.host)], {
      ...{ ...change, service: 'CertSvc' },
      needs: 'administrator of the CA, and WinRM to its host',
    });

/** Bits of the policy module and of the interface. Source: MS-CSRA 3.2.1.1.4; certenroll of Microsoft. */
export const sanFlag = atAuthority({
  key: MODULE,
  value: 'EditFlags',
  operation: 'ClearBits',
  number: 0x40000,
});
export const rpcEncryption = atAuthority({
  key: AUTHORITY,
  value: 'InterfaceFlags',
  operation: 'SetBits',
  number: 0x200,
});
export const extensions = atAuthority({
  ...{ key: MODULE, value: 'DisableExtensionList', operation: 'RemoveText', text: '1.3.6.1.4.1.311.25.2' },
});

const onControllers =
  (change: Omit<RegistryChange, 'needs'>): Maker =>
  ({ facts }) =>
    registry(known(facts.controllers), {
      ...change,
      needs: 'Domain Admins of each domain, and WinRM to each domain controller',
    });

/** Source: KB5014754 of Microsoft. */
export const certificateBinding = onControllers({
  ...{ key: 'SYSTEM\\CurrentControlSet\\Services\\Kdc', value: 'StrongCertificateBindingEnforcement' },
  ...{ operation: 'SetNumber', number: 2 },
});
export const certificateMapping = onControllers({
  ...{
    key: 'SYSTEM\\CurrentControlSet\\Control\\SecurityProviders\\Schannel',
    value: 'CertificateMappingMethods',
  },
  ...{ operation: 'ClearBits', number: 0x4 },
});
export const netlogonExceptions = onControllers({
  ...{
    key: 'SYSTEM\\CurrentControlSet\\Services\\Netlogon\\Parameters',
    value: 'VulnerableChannelAllowList',
  },
  operation: 'DeleteValue',
});

interface RegistryValue {
  readonly [key: string]: Literal;
  readonly Path: string;
  readonly Number: number;
}

/**
 * Hosts keep registry values of security templates after the policy is removed, if no other policy defined the setting.
 * Source: Microsoft, security policy settings, "Persistence in security settings".
 */
const UNDO_OF_VALUES =
  'no policy: it is new, and undo removes it with its link. Hosts that applied it keep its values until they are set back on each host';
const UNDO_OF_RIGHTS =
  'no policy: it is new, and undo removes it with its link. Hosts have their previous lists again after the next refresh: check this on one of them';

const recordValues = (values: readonly RegistryValue[]): readonly string[] => {
  const places = values.map(({ Path }) => {
    const at = Path.lastIndexOf('\\');
    return {
      key: Path.slice(0, at)
        .replace(/^MACHINE/, 'HKLM')
        .replaceAll('/', '\\'),
      name: Path.slice(at + 1),
    };
  });
  return [
    `Before Apply, record the value on each host to which the policy applies, also if it does not exist: ${places.map(({ key, name }) => `reg query "${key}" /v ${name}`).join(', ')}.`,
    `After Undo and a refresh of policies, set the recorded value back on each host: ${places.map(({ key, name }) => `reg add "${key}" /v ${name} /t REG_DWORD /d VALUE /f`).join(', ')}; where the value did not exist, delete it with reg delete.`,
  ];
};

interface PolicyChange {
  readonly domain: KitObject;
  readonly place: 'Domain' | 'Controllers' | 'Target';
  readonly registryValues?: readonly RegistryValue[];
  readonly rights?: readonly string[];
  readonly accounts?: readonly string[];
  readonly forbidden?: readonly string[];
  /** Collected computers that the policy has to reach. */
  readonly computers?: readonly string[];
  /** Added to the container to choose. */
  readonly note?: string;
}

const policy = ({
  domain,
  place,
  registryValues = [],
  rights = [],
  accounts = [],
  forbidden = [],
  computers = [],
  note = '',
}: PolicyChange): Scripted => ({
  engine: 'Policy',
  settings: {
    ...{ Domain: domainOf(domain, 'the object'), Place: place, RegistryValues: registryValues },
    ...{ Rights: rights, Accounts: accounts, Forbidden: forbidden, Computers: computers },
  },
  needs: 'create group policies, and link them to the target',
  undo: rights.length > 0 ? UNDO_OF_RIGHTS : UNDO_OF_VALUES,
  ...(registryValues.length > 0 && { further: recordValues(registryValues) }),
  ...(place === 'Target' && {
    asks: `-Target: the GUID of the organizational unit to which the policy is linked${rights.length > 0 ? ', where it denies the rights on all computers below' : ''}; start with pilot computers${note}`,
  }),
});

const NTDS = 'MACHINE\\System\\CurrentControlSet\\Services\\NTDS\\Parameters\\';

export const ldapSigning: Maker = ({ object }) =>
  policy({
    domain: object,
    place: 'Controllers',
    registryValues: [{ Path: `${NTDS}LDAPServerIntegrity`, Number: 2 }],
  });
export const channelBinding: Maker = ({ object }) =>
  policy({
    domain: object,
    place: 'Controllers',
    registryValues: [{ Path: `${NTDS}LdapEnforceChannelBinding`, Number: 2 }],
  });

const SIGNING = [
  {
    Path: 'MACHINE\\System\\CurrentControlSet\\Services\\LanManServer\\Parameters\\RequireSecuritySignature',
    Number: 1,
  },
];

export const computerSigning: Maker = ({ object }) =>
  policy({
    ...{ domain: object, place: 'Target', registryValues: SIGNING },
    computers: [baseOf(object, 'the computer')],
  });
export const domainSigning: Maker = ({ object }) =>
  policy({ domain: object, place: 'Domain', registryValues: SIGNING });

const DENIED = [
  ...['SeDenyInteractiveLogonRight', 'SeDenyRemoteInteractiveLogonRight'],
  ...['SeDenyServiceLogonRight', 'SeDenyBatchLogonRight'],
];

const forbiddenOf = (facts: KitFacts): string[] =>
  known(facts.facts['tier-zero-hosts']).map((host) => sidOf(host, 'a Tier Zero host'));

export const keepOff: Maker = (facts) => {
  const accounts = known(facts.facts.accounts).map((account) => sidOf(account, 'the account'));
  return policy({
    ...{ domain: facts.object, place: 'Target', rights: DENIED, accounts, forbidden: forbiddenOf(facts) },
    computers: [baseOf(facts.object, 'the computer')],
  });
};

/** Individual accounts, and the administrator groups of the domain; never Administrators, which would lock everyone out. */
export const separateLogons: Maker = (facts) => {
  const { sid } = facts.object;
  const groups = sid === null ? [] : DENIED_GROUPS.map((end) => `${sidText(sid, 'the domain')}-${end}`);
  const accounts = known(facts.facts.accounts).map((account) => sidOf(account, 'an account'));
  const computers = new Map(
    known(facts.facts.sessions).map(({ computer }) => [computer.objectId, computer] as const),
  );
  const here = [...computers.values()].filter(({ domain }) => domain?.sid === facts.object.domain?.sid);
  const elsewhere = computers.size - here.length;
  const services = known(facts.facts['denied-services']).map(({ account, group }) =>
    serviceWarning(account.name, group?.name ?? ''),
  );
  const made = policy({
    ...{ domain: facts.object, place: 'Target', rights: [...DENIED, 'SeDenyNetworkLogonRight'] },
    ...{ accounts: [...new Set([...groups, ...accounts])], forbidden: forbiddenOf(facts) },
    computers: here.map((computer) => baseOf(computer, 'a computer')),
    // A policy of a domain only applies to its own computers.
    ...(elsewhere > 0 && {
      note: `; computers of other domains (${elsewhere}) need a policy there, which this script does not create`,
    }),
  });
  return {
    ...made,
    ...(services.length > 0 && { further: services }),
    option: {
      name: 'Exempt',
      text: '-Exempt: SIDs of accounts to which the rights are not denied, separated by commas, such as one emergency account. A deny right outweighs all others, so each denied group of such an account is replaced by its other members. Members that the group gets later are not denied: run Apply again then.',
    },
  };
};

export const removeLocalMember: Maker = (facts) => {
  const { object, principal } = facts;
  // Local groups of controllers are groups of the domain.
  const builtin = /S-1-5-32-\d+$/.exec(object.objectId)?.[0];
  if (builtin !== undefined) return removeMember({ ...facts, object: { ...object, sid: builtin } });
  if (principal === undefined) throw new NotScripted('The change has no member.');
  const cause = known(facts.facts.policy);
  if (cause !== null)
    throw new NotScripted('At its next refresh, a policy adds the member again: change the policy.');
  return {
    engine: 'LocalGroup',
    settings: {
      ...{ Host: hostOf(known(facts.facts.host)), Group: sidText(known(facts.facts.group), 'the group') },
      Member: sidOf(principal, 'the member'),
    },
    needs: 'administrator of the host, and WinRM to it',
    undo: 'the membership',
  };
};

const steps =
  (why: string, ...all: string[]): Maker =>
  (): Manual => ({ why, steps: all });

export const webEnrollment = steps(
  'A script cannot undo all of it: the certificate binding in IIS is removed with the role service.',
  'Check the IIS logs on the host for two weeks: they show who enrolls through the web pages.',
  'If no one does, remove the role services: Uninstall-AdcsWebEnrollment, and Uninstall-AdcsEnrollmentWebService where it is installed.',
  'If someone does, allow only HTTPS for the CertSrv and enrollment web service sites, and set Extended Protection to Required.',
);

export const removePolicyMember = steps(
  'Collectors do not report which policy of the organizational unit adds the member.',
  'Create a report of the policies that are linked to the organizational unit: Get-GPOReport -ReportType Xml. Look for the SID of the member in Restricted Groups and in Groups.xml.',
  'Back up the policy: Backup-GPO.',
  'Remove the member. A preference does not revert its changes: remove the member with the action Remove in the preference, or on each host.',
);

export const removeLogonRight = steps(
  'Collectors do not report which policy grants the right, and the list in one policy replaces the lists of others.',
  'Export the effective list on the host (secedit /export /areas USER_RIGHTS /cfg FILE), and keep the file.',
  'Remove the principal from "Allow log on through Remote Desktop Services" in the policy that contains it, or on the host if no policy does.',
  'Check that the users of the host can still log on.',
);

export const filterTrust = steps(
  'An administrator of both domains has to check the trusting side and the names of a trust.',
  'On a domain controller of each side, record the attributes of the trust: Get-ADTrust -Filter * -Properties trustAttributes.',
  'SID filtering is a setting of the trusting side, so run the command there. Between two forests: netdom trust TRUSTING /domain:TRUSTED /EnableSIDHistory:no. For an external trust: netdom trust TRUSTING /domain:TRUSTED /Quarantine:yes.',
  'Ticket delegation is a setting of the trusted side, whose domain controllers decide whether their users can be delegated across the trust. If it is on, run on a domain controller of the trusted domain: netdom trust TRUSTING /domain:TRUSTED /EnableTGTDelegation:no.',
  'Compare trustAttributes again: of SID filtering on the trusting side, and of ticket delegation on the trusted side. To undo the change, restore the recorded values on the same sides with the same commands.',
);

export const protectHost = steps(
  'This is a project, not a single change.',
  'Treat the host as a domain controller: only Tier Zero administrators, no other services, its own organizational unit and policies.',
  'Store keys in a hardware security module if you have one.',
);

export const unsynchronize = steps(
  'This is a project, not a single change.',
  'Create a cloud-only account for the administrative work, and assign the roles to it.',
  'Remove the roles from the synchronized account, or exclude it from synchronization.',
);
