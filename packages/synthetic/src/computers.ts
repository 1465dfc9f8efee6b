/** The records of computers: their properties, and the answer of each machine to the collector. */

import { dialectOf } from './dialects/index.ts';
import { type Machine, machinesOf } from './machines.ts';
import { containedBy } from './places.ts';
import { prefixedGroup, prefixedId, relativeId, specialAccount, wellKnownGroup } from './plan.ts';
import { below, pick } from './random.ts';
import { type CollectedObject, collected, group, notCollected, type Principal, user } from './records.ts';
import type { RestrictedList } from './restrictedGroups.ts';
import type { DomainWorld } from './world.ts';

const DAY_SECONDS = 86_400;

export function* makeComputers(world: DomainWorld): Generator<CollectedObject> {
  for (const machine of machinesOf(world)) {
    const { place } = world.overlay.at(machine.id);
    yield computerRecord(world, {
      ...machine,
      ...(world.overlay.answers(machine.id) && { isReachable: true }),
      ...(place !== undefined && { place: world.places.at(place) }),
    });
  }
}

function computerRecord(world: DomainWorld, machine: Machine): CollectedObject {
  const { plan } = world;
  const changes = world.overlay.at(machine.id);
  const isDc = machine.role === 'domainController';
  const answer = machine.isReachable ? collected : notCollected;
  const sessions = [...machine.sessions, ...changes.sessions].map((id) => ({
    UserSID: id,
    ComputerSID: machine.id,
    LogonType: 2,
  }));
  const properties = { ...computerProperties(world, machine), ...changes.properties };
  return {
    Properties: properties,
    PrimaryGroupSID: relativeId(plan, isDc ? 516 : 515),
    AllowedToDelegate: changes.allowedToDelegate,
    AllowedToAct: changes.allowedToAct,
    HasSIDHistory: [],
    DumpSMSAPassword: [],
    Sessions: answer({ Results: machine.isReachable ? sessions.slice(0, 1) : [] }),
    PrivilegedSessions: answer({ Results: machine.isReachable ? sessions : [] }),
    RegistrySessions: answer({ Results: machine.isReachable ? sessions.slice(1) : [] }),
    LocalGroups: machine.isReachable ? localGroups(world, machine) : [],
    UserRights: machine.isReachable ? userRights(world, machine) : [],
    DCRegistryData: isDc ? domainControllerRegistry(world, machine) : emptyRegistry,
    NTLMRegistryData: answer({ Result: machine.isReachable ? ntlmRegistry(world, machine) : null }),
    SmbInfo: answer({ Result: machine.isReachable ? { SigningEnabled: signsSmb(world, machine) } : null }),
    IsWebClientRunning: answer({
      Result: machine.isReachable ? machine.role === 'workstation' && machine.draw(20) < 0.05 : null,
    }),
    Status: machine.isReachable ? null : { Connectable: false, Error: 'PortNotOpen' },
    IsDC: isDc,
    DomainSID: plan.sid,
    UnconstrainedDelegation: properties.unconstraineddelegation === true,
    Aces: machine.isProtected
      ? world.protectedAces(machine.id, 'Computer')
      : world.acesOf(machine.id, machine.hasLaps ? 'ComputerWithLaps' : 'Computer', machine.place),
    ObjectIdentifier: machine.id,
    ...{ IsDeleted: false, IsACLProtected: machine.isProtected, ContainedBy: containedBy(machine.place) },
  };
}

function computerProperties(world: DomainWorld, machine: Machine): Record<string, unknown> {
  const { plan } = world;
  const isDc = machine.role === 'domainController';
  const fqdn = `${machine.host}.${plan.name}`;
  const unusedDays =
    machine.unusedDays ??
    (machine.draw(10) < 0.05 ? 70 + below(300, machine.draw(11)) : below(10, machine.draw(11)));
  const lastSeen = plan.collectedAt - unusedDays * DAY_SECONDS;
  const isDisabled = machine.draw(13) < (machine.unusedDays === undefined ? 0.02 : 0.4);
  const services = isDc ? ['ldap', 'GC', 'HOST', 'DNS', 'RestrictedKrbHost'] : ['HOST', 'RestrictedKrbHost'];
  return {
    ...{ domain: plan.name, name: fqdn, domainsid: plan.sid, samaccountname: `${machine.host}$` },
    distinguishedname: `CN=${machine.host},${machine.place.distinguishedName}`,
    ...{ haslaps: machine.hasLaps, isaclprotected: machine.isProtected, description: null },
    whencreated:
      plan.collectedAt - ((machine.unusedDays ?? 0) + 100 + below(1500, machine.draw(12))) * DAY_SECONDS,
    ...{ enabled: isDc || !isDisabled, unconstraineddelegation: isDc, trustedtoauth: false },
    ...{ isdc: isDc, isreadonlydc: false },
    ...{
      lastlogon: lastSeen,
      lastlogontimestamp: lastSeen,
      pwdlastset: lastSeen - below(30, machine.draw(14)) * DAY_SECONDS,
    },
    serviceprincipalnames: services.map((service) => `${service}/${fqdn.toLowerCase()}`),
    ...{ email: null, operatingsystem: machine.operatingSystem, sidhistory: [] },
    ...{ supportedencryptiontypes: ['AES128-CTS-HMAC-SHA1-96', 'AES256-CTS-HMAC-SHA1-96'] },
    ...{ doesanyacegrantownerrights: false, doesanyinheritedacegrantownerrights: false },
    ...(isDc && {
      ...{ ldapenabled: true, ldapsenabled: true },
      // In the older forest, some controllers do not require signing.
      ldapsigning: machine.draw(15) < plan.traits.ldapSigning,
      ldapsepa: machine.draw(34) < plan.traits.channelBinding,
    }),
  };
}

function localGroups(world: DomainWorld, machine: Machine): object[] {
  const { plan } = world;
  const changes = world.overlay.at(machine.id);
  if (machine.role === 'domainController') {
    // A domain controller reports the groups of its domain with a marker instead of a name.
    const marked = (rid: number, members: readonly Principal[]) =>
      collected({
        ObjectIdentifier: prefixedId(plan, `S-1-5-32-${rid}`),
        ...{ Name: 'IGNOREME', Results: members, LocalNames: [] },
      });
    const administrators = [
      wellKnownGroup(plan, 512),
      user(relativeId(plan, 500)),
      group(`${plan.forestSid}-519`),
    ];
    return [marked(544, administrators), marked(551, [specialAccount(plan, 'SVC_BACKUP')]), marked(555, [])];
  }
  const fqdn = `${machine.host}.${plan.name}`;
  const local = (rid: number, name: string, members: readonly Principal[], localNames: object[] = []) =>
    collected({
      ObjectIdentifier: `${machine.id}-${rid}`,
      ...{ Name: `${dialectOf(plan).builtIn(name)}@${fqdn}`, Results: members, LocalNames: localNames },
    });
  // Members added by policies are also found on the machine.
  const withPolicies = (list: RestrictedList, members: readonly Principal[]): readonly Principal[] => {
    const known = new Set(members.map(({ ObjectIdentifier }) => ObjectIdentifier));
    const added = world.restrictedGroups.above(machine.place, list);
    return [...members, ...added.filter(({ ObjectIdentifier }) => !known.has(ObjectIdentifier))];
  };
  const builtIn = { ObjectIdentifier: `${machine.id}-500`, ObjectType: 'ADLocalUser' };
  const administrators = withPolicies('LocalAdmins', [
    wellKnownGroup(plan, 512),
    ...machine.localAdministrators,
    ...changes.localAdministrators,
  ]);
  const builtInName = {
    ObjectIdentifier: builtIn.ObjectIdentifier,
    PrincipalName: `${dialectOf(plan).builtIn('ADMINISTRATOR')}@${fqdn}`,
  };
  return [
    // On workstations, the built-in administrator is disabled.
    machine.role === 'workstation'
      ? local(544, 'ADMINISTRATORS', administrators)
      : local(544, 'ADMINISTRATORS', [builtIn, ...administrators], [builtInName]),
    local(
      555,
      'REMOTE DESKTOP USERS',
      withPolicies('RemoteDesktopUsers', [...machine.remoteDesktopUsers, ...changes.remoteDesktopUsers]),
    ),
    local(562, 'DISTRIBUTED COM USERS', withPolicies('DcomUsers', [])),
    local(
      580,
      'REMOTE MANAGEMENT USERS',
      withPolicies('PSRemoteUsers', machine.draw(21) < 0.1 ? machine.remoteDesktopUsers : []),
    ),
  ];
}

function userRights(world: DomainWorld, machine: Machine): object[] {
  const administrators =
    machine.role === 'domainController'
      ? prefixedGroup(world.plan, 'S-1-5-32-544')
      : { ObjectIdentifier: `${machine.id}-544`, ObjectType: 'ADLocalGroup' };
  const remote = { ObjectIdentifier: `${machine.id}-555`, ObjectType: 'ADLocalGroup' };
  const hasRemote = machine.role === 'server';
  return [
    collected({
      Privilege: 'SeRemoteInteractiveLogonRight',
      ...{ Results: hasRemote ? [administrators, remote] : [administrators], LocalNames: [] },
    }),
  ];
}

/** SMB signing is required by policy in Tier Zero, and nowhere else by default. */
const signsSmb = ({ plan: { traits } }: DomainWorld, machine: Machine): boolean =>
  machine.role === 'domainController' ||
  machine.draw(22) <
    (machine.role === 'infrastructure' ? traits.smbSigning.infrastructure : traits.smbSigning.others);

const ntlmRegistry = (world: DomainWorld, machine: Machine): object => ({
  RestrictSendingNtlmTraffic: machine.draw(23) < 0.1 ? 2 : 0,
  RestrictReceivingNTLMTraffic: 0,
  ...{ RequireSecuritySignature: signsSmb(world, machine) ? 1 : 0, EnableSecuritySignature: 1 },
  ...{ NtlmMinClientSec: 536_870_912, NtlmMinServerSec: 536_870_912 },
  ...{
    LmCompatibilityLevel: machine.draw(24) < 0.8 ? 5 : 3,
    UseMachineId: 1,
    ClientAllowedNTLMServers: null,
  },
  ...(world.plan.shape !== 1 && variedNtlmValues(machine)),
});

/** In shapes later than 1, most values were never set, old systems have weak ones, and a few machines have exceptions. */
function variedNtlmValues(machine: Machine): object {
  const isOld = /2008|2012|Windows 7/.test(machine.operatingSystem);
  const level = machine.draw(24);
  return {
    RestrictSendingNtlmTraffic: pick([null, null, null, 0, 0, 1, 1, 2], machine.draw(23)),
    RestrictReceivingNTLMTraffic: pick([null, null, null, null, 0, 0, 1, 2], machine.draw(26)),
    LmCompatibilityLevel: isOld ? pick([null, 0, 1, 2, 3], level) : pick([null, null, 3, 5, 5, 5], level),
    UseMachineId: pick([null, 0, 1], machine.draw(27)),
    ClientAllowedNTLMServers: machine.draw(28) < 0.03 ? ['legacy-app', 'scanner*'] : null,
  };
}

const refused = { Collected: false, FailureReason: 'Requested registry access is not allowed.', Value: null };

const refusedRegistry = {
  CertificateMappingMethods: refused,
  StrongCertificateBindingEnforcement: refused,
  VulnerableNetlogonSecurityDescriptor: refused,
};

const emptyRegistry = {
  CertificateMappingMethods: null,
  StrongCertificateBindingEnforcement: null,
  VulnerableNetlogonSecurityDescriptor: null,
};

function domainControllerRegistry(world: DomainWorld, machine: Machine): object {
  const { shape, hasFlaws } = world.plan;
  const hasWeakMapping = hasFlaws && world.plan.traits.hasWeakMapping;
  const trusted = collected({ Value: hasFlaws && machine.draw(25) < 0.1 ? 'O:BAG:BAD:(A;;RC;;;WD)' : '' });
  if (shape === 1) {
    return {
      CertificateMappingMethods: collected({ Value: hasWeakMapping ? 31 : 24 }),
      StrongCertificateBindingEnforcement: collected({ Value: hasWeakMapping ? 1 : 2 }),
      VulnerableNetlogonSecurityDescriptor: trusted,
    };
  }
  // In later shapes, controllers of one domain differ, and the registry of one in six cannot be read.
  if (machine.draw(29) < 1 / 6) return refusedRegistry;
  const older = pick([31, 31, 24, null], machine.draw(32));
  const newer = hasFlaws ? pick([24, 24, 24, 31], machine.draw(32)) : 24;
  return {
    CertificateMappingMethods: collected({ Value: hasWeakMapping ? older : newer }),
    StrongCertificateBindingEnforcement: collected({
      Value: pick(hasWeakMapping ? [1, 1, 2, 0, null] : [2, 2, 2, null], machine.draw(33)),
    }),
    VulnerableNetlogonSecurityDescriptor: trusted,
  };
}
