/**
 * A slow twin of the certificate services rules for tests: after the text of
 * `docs/rules.md#certificate-services`, one principal, template and CA after the other, on names and plain
 * sets.
 */
import type { JsonObject, JsonValue } from '@clew/graph';
import { type Kinds, naiveCover, naiveMembers } from '../directory/naivePrincipals.ts';

export interface PlainWorld {
  readonly nodes: ReadonlyMap<string, { readonly kind: string; readonly props: JsonObject }>;
  readonly edges: readonly (readonly [start: string, kind: string, end: string])[];
}

const AGENT = '1.3.6.1.4.1.311.20.2.1';
const ANY = '2.5.29.37.0';
const CLIENT = '1.3.6.1.5.5.7.3.2';
const SID_EXTENSION = '1.3.6.1.4.1.311.25.2';
const OLD_LEVELS = ['2000 Mixed/Native', '2003 Interim', '2003', '2008', '2008 R2', '2012'];

/**
 * @param special names of Everyone and Authenticated Users of any domain
 * @param updated an authority of which someone answered that it has the update of November 2024
 */
export function naiveRules(world: PlainWorld, special: readonly string[], updated = ''): string[] {
  const names = [...world.nodes.keys()];
  const edges = [...world.edges];
  const found = new Set<string>();
  const kindOf = (name: string) => world.nodes.get(name)!.kind;
  const prop = (name: string, key: string): JsonValue | undefined => world.nodes.get(name)!.props[key];
  const list = (name: string, key: string) => prop(name, key) as readonly string[] | undefined;
  const num = (name: string, key: string) => prop(name, key) as number | undefined;
  const ofKind = (...kinds: string[]) => names.filter((name) => kinds.includes(kindOf(name)));
  const starts = (end: string, ...kinds: string[]) =>
    names.filter((name) =>
      edges.some(([from, kind, to]) => from === name && to === end && kinds.includes(kind)),
    );
  const ends = (start: string, ...kinds: string[]) =>
    names.filter((name) =>
      edges.some(([from, kind, to]) => from === start && to === name && kinds.includes(kind)),
    );
  const emit = (kind: string, from: string, to: string) => {
    if (from === to && kind !== 'EnrollOnBehalfOf') return;
    found.add(`${kind} ${from} ${to}`);
    edges.push([from, kind, to]);
  };

  // 4 Base edges
  const cas = ofKind('EnterpriseCA', 'RootCA', 'AIACA');
  for (const store of ofKind('NTAuthStore')) {
    for (const ca of ofKind('EnterpriseCA')) {
      if (list(store, 'certthumbprints')?.includes(prop(ca, 'certthumbprint') as string)) {
        emit('TrustedForNTAuth', ca, store);
      }
    }
  }
  for (const from of cas) {
    for (const to of cas) {
      const chain = list(from, 'certchain') ?? [];
      if (chain.length > 1 && prop(to, 'certthumbprint') === chain[1]) emit('IssuedSignedBy', from, to);
      const same = prop(from, 'certthumbprint') === prop(to, 'certthumbprint');
      if (kindOf(from) === 'EnterpriseCA' && kindOf(to) !== 'EnterpriseCA' && same) {
        emit('EnterpriseCAFor', from, to);
      }
    }
  }
  for (const template of ofKind('CertTemplate')) {
    for (const policy of ofKind('IssuancePolicy')) {
      const named = list(template, 'certificatepolicy')?.includes(prop(policy, 'certtemplateoid') as string);
      if (named && prop(template, 'domainsid') === prop(policy, 'domainsid')) {
        emit('ExtendedByPolicy', template, policy);
      }
    }
  }

  // 5 Shared predicates
  const domainOf = (name: string) =>
    ofKind('Domain').find((domain) => prop(domain, 'domainsid') === prop(name, 'domainsid'));
  const forest = (domain: string): Set<string> => {
    const members = new Set([domain]);
    for (const member of members) for (const other of starts(member, 'SameForestTrust')) members.add(other);
    return members;
  };
  const walks = (from: string, seen: readonly string[]): string[] =>
    ends(from, 'IssuedSignedBy', 'EnterpriseCAFor').flatMap((to) => {
      if (kindOf(to) === 'RootCA') return [to];
      return seen.includes(to) ? [] : walks(to, [...seen, to]);
    });
  const chained = (ca: string, domain: string) =>
    walks(ca, [ca]).some((root) => ends(root, 'RootCAFor').includes(domain)) &&
    ends(ca, 'TrustedForNTAuth').some((store) => ends(store, 'NTAuthStoreFor').includes(domain));
  const domainsOf = (ca: string) => ofKind('Domain').filter((domain) => chained(ca, domain));
  const hosts = (ca: string) =>
    starts(ca, 'HostsCAService').filter((host) => {
      if (prop(host, 'enabled') !== true) return false;
      const home = domainOf(ca);
      const hostHome = domainOf(host);
      return home === undefined || (hostHome !== undefined && forest(home).has(hostHome));
    });
  const active = ofKind('EnterpriseCA').filter((ca) => hosts(ca).length > 0 && domainsOf(ca).length > 0);
  const published = (ca: string) => starts(ca, 'PublishedTo');
  const gate = (t: string) => {
    const [v, a] = [num(t, 'schemaversion'), num(t, 'authorizedsignatures')];
    return {
      L: v !== undefined && a !== undefined && !(v > 1 && a > 0),
      S: v === 1 || (v !== undefined && v > 1 && a === 0),
      R: (v !== undefined && v <= 1) || a === 0,
    };
  };
  const is = (t: string, key: string) => prop(t, key) === true;
  const isNot = (t: string, key: string) => prop(t, key) === false;
  const ekus = (t: string) => list(t, 'effectiveekus');
  const schannel = (t: string) => {
    const stated = prop(t, 'schannelauthenticationenabled');
    if (stated !== undefined) return stated === true;
    const usages = ekus(t);
    return usages !== undefined && (usages.length === 0 || usages.includes(CLIENT) || usages.includes(ANY));
  };
  const sanUpn = (t: string) =>
    prop(t, 'subjectaltrequireupn') !== undefined &&
    prop(t, 'subjectaltrequirespn') !== undefined &&
    (is(t, 'subjectaltrequireupn') || is(t, 'subjectaltrequirespn'));
  const userOk = (t: string) => isNot(t, 'subjectaltrequiredns') && isNot(t, 'subjectaltrequiredomaindns');
  const dnsFilter = (set: readonly string[], t: string) =>
    set.filter((name) => userOk(t) || kindOf(name) !== 'User' || is(name, 'gmsa') || is(name, 'msa'));
  const controllers = (domain: string) => [...forest(domain)].flatMap((member) => starts(member, 'DCFor'));
  const weakBinding = (domain: string) =>
    controllers(domain).some((dc) =>
      [-1, 0, 1].includes(num(dc, 'strongcertificatebindingenforcementraw') ?? 2),
    );
  const upnMapping = (domain: string) =>
    controllers(domain).some((dc) => {
      const methods = num(dc, 'certificatemappingmethodsraw') ?? -1;
      return methods !== -1 && (methods & 4) !== 0;
    });
  const sanFlag = (ca: string) =>
    is(ca, 'isuserspecifiessanenabledcollected') && is(ca, 'isuserspecifiessanenabled');

  // 6 Principal sets
  const kinds: Kinds = {
    isGroup: (name) => ['Group', 'ADLocalGroup'].includes(kindOf(name)),
    isSpecial: (name) => special.includes(name),
  };
  const memberships = edges.flatMap(([from, kind, to]) =>
    kind === 'MemberOf' || kind === 'MemberOfLocalGroup' ? [[from, to] as const] : [],
  );
  const membersOf = naiveMembers(names, memberships);
  const enrT = (t: string) => starts(t, 'Enroll', 'GenericAll', 'AllExtendedRights');
  const enrC = (ca: string) => starts(ca, 'Enroll');
  const cover = (...sets: string[][]) => naiveCover(sets, membersOf, 'outer', kinds);
  const leaves = (set: readonly string[]) =>
    new Set(
      set
        .flatMap((name) => (kindOf(name) === 'Group' ? [...membersOf.get(name)!] : [name]))
        .filter((name) => kindOf(name) !== 'Group'),
    );
  const special1 = (set: readonly string[]) =>
    set.some(
      (name) =>
        special.includes(name) ||
        (kindOf(name) === 'Group' && special.some((group) => ends(group, 'MemberOf').includes(name))),
    );
  const victims = (t: string, ca: string): string[] => {
    if (enrT(t).length === 0 || enrC(ca).length === 0) return [];
    const [onT, onC] = [leaves(enrT(t)), leaves(enrC(ca))];
    return names.filter((name) => {
      if (special1(enrT(t)) && special1(enrC(ca))) return onT.has(name) || onC.has(name);
      if (special1(enrT(t))) return onC.has(name);
      if (special1(enrC(ca))) return onT.has(name);
      return onT.has(name) && onC.has(name);
    });
  };
  const attackers = (of: readonly string[]) =>
    ofKind('Group', 'User', 'Computer').filter((name) =>
      of.some((victim) =>
        starts(victim, 'GenericAll', 'GenericWrite', 'Owns', 'WriteOwner', 'WriteDacl').includes(name),
      ),
    );
  const multiply = (kind: string, sources: readonly string[], targets: readonly string[]) => {
    for (const source of sources) for (const target of targets) emit(kind, source, target);
  };

  // 4 EnrollOnBehalfOf
  for (const a of active) {
    for (const b of active) {
      if (!domainsOf(a).some((domain) => domainsOf(b).includes(domain))) continue;
      for (const t1 of published(a)) {
        for (const t2 of published(b)) {
          const usages = ekus(t1);
          if (usages === undefined) continue;
          const version = num(t2, 'schemaversion') ?? 0;
          const one = usages.length === 0 || usages.includes(AGENT) || usages.includes(ANY);
          const two =
            usages.includes(AGENT) &&
            !usages.includes(ANY) &&
            t1 !== t2 &&
            num(t2, 'authorizedsignatures') === 1 &&
            list(t2, 'applicationpolicies')?.includes(AGENT) === true;
          if ((version === 1 && one) || (version >= 2 && two)) emit('EnrollOnBehalfOf', t1, t2);
        }
      }
    }
  }

  // 7 Rules
  for (const ca of active) {
    const domains = domainsOf(ca);
    multiply('GoldenCert', hosts(ca), domains);
    for (const t of published(ca)) {
      const noApproval = isNot(t, 'requiresmanagerapproval');
      const auth = is(t, 'authenticationenabled');
      const supplies = is(t, 'enrolleesuppliessubject');
      const takes = isNot(t, 'enrolleesuppliessubject');
      const bare = is(t, 'nosecurityextension');
      const { L, S, R } = gate(t);
      const both = cover(enrT(t), enrC(ca));
      if (noApproval && auth && supplies && L) multiply('ADCSESC1', both, domains);
      if (num(t, 'schemaversion') === 1 && noApproval && supplies && !auth) {
        multiply(ca === updated ? 'ADCSESC15Updated' : 'ADCSESC15', both, domains);
      }
      if (sanFlag(ca) && noApproval && L && bare && auth) {
        multiply('ADCSESC6a', dnsFilter(both, t), domains);
      }
      if (sanFlag(ca) && noApproval && L && schannel(t)) {
        multiply('ADCSESC6b', dnsFilter(both, t), domains.filter(upnMapping));
      }
      const mapped = noApproval && takes && L;
      const byUpn = attackers(dnsFilter(victims(t, ca), t));
      const byDns = attackers(victims(t, ca).filter((name) => kindOf(name) === 'Computer'));
      const sanDns = is(t, 'subjectaltrequiredns');
      if (mapped && auth && bare && sanUpn(t)) multiply('ADCSESC9a', byUpn, domains.filter(weakBinding));
      if (mapped && auth && bare && sanDns) multiply('ADCSESC9b', byDns, domains.filter(weakBinding));
      if (mapped && schannel(t) && sanUpn(t)) multiply('ADCSESC10a', byUpn, domains.filter(upnMapping));
      if (mapped && schannel(t) && sanDns) multiply('ADCSESC10b', byDns, domains.filter(upnMapping));
      if (noApproval && auth && L) {
        for (const policy of ends(t, 'ExtendedByPolicy')) {
          for (const group of ends(policy, 'OIDGroupLink')) {
            const home = domainOf(group);
            const related = domains.some((domain) => home !== undefined && forest(domain).has(home));
            if (kindOf(group) === 'Group' && related) multiply('ADCSESC13', dnsFilter(both, t), [group]);
          }
        }
      }
      const disabled = is(ca, 'disabledextensionscollected')
        ? (list(ca, 'disabledextensions')?.includes(SID_EXTENSION) ?? false)
        : false;
      if (sanFlag(ca) && disabled && noApproval && auth && S) {
        multiply('ADCSESC16', dnsFilter(both, t), domains);
      }
      if (disabled && mapped && auth && sanUpn(t)) multiply('ADCSESC16', byUpn, domains.filter(weakBinding));
      if (disabled && mapped && auth && sanDns) multiply('ADCSESC16', byDns, domains.filter(weakBinding));
      if (
        prop(t, 'enrolleesuppliessubject') !== undefined &&
        prop(t, 'requiresmanagerapproval') !== undefined
      ) {
        const er = starts(t, 'Enroll', 'AllExtendedRights');
        const [nf, ef] = [starts(t, 'WritePKINameFlag'), starts(t, 'WritePKIEnrollmentFlag')];
        const control = starts(t, 'Owns', 'GenericAll', 'WriteDacl', 'WriteOwner');
        multiply('ADCSESC4', cover(enrC(ca), control), domains);
        multiply('ADCSESC4', cover(enrC(ca), starts(t, 'GenericWrite'), er), domains);
        if (auth && L) {
          multiply('ADCSESC4', cover(enrC(ca), er, nf, ef), domains);
          if (supplies) multiply('ADCSESC4', cover(enrC(ca), er, ef), domains);
          if (noApproval) multiply('ADCSESC4', cover(enrC(ca), er, nf), domains);
        }
      }
      if (noApproval && auth) {
        for (const t1 of starts(t, 'EnrollOnBehalfOf')) {
          if (!isNot(t1, 'requiresmanagerapproval') || !gate(t1).S) continue;
          for (const c1 of ends(t1, 'PublishedTo').filter((other) => hosts(other).length > 0)) {
            const restricted =
              is(ca, 'enrollmentagentrestrictionscollected') && is(ca, 'hasenrollmentagentrestrictions');
            const delegated = starts(t, 'DelegatedEnrollmentAgent');
            if (restricted && delegated.length === 0) continue;
            const sets = [enrT(t1), enrT(t), enrC(c1), enrC(ca), ...(restricted ? [delegated] : [])];
            const common = domains.filter((domain) => chained(c1, domain));
            multiply('ADCSESC3', dnsFilter(cover(...sets), t1), common);
          }
        }
      }
      const relayed = is(ca, 'hasvulnerableendpoint') || isNot(ca, 'rpcencryptionenforced');
      if (relayed && noApproval && auth && R) {
        const everybody = (sid: JsonValue | undefined) =>
          ofKind('Group').find((name) => name.startsWith('AU') && prop(name, 'domainsid') === sid);
        const coercible = victims(t, ca).filter((name) => {
          if (kindOf(name) !== 'Computer' || !isNot(name, 'restrictoutboundntlm')) return false;
          const home = domainOf(name);
          if (home === undefined || everybody(prop(name, 'domainsid')) === undefined) return false;
          const shielded =
            membersOf.get('PU')?.has(name) && prop('PU', 'domainsid') === prop(name, 'domainsid');
          return !(shielded && !OLD_LEVELS.includes(String(prop(home, 'functionallevel'))));
        });
        for (const domain of domains) {
          const source = everybody(prop(domain, 'domainsid'));
          if (source !== undefined) multiply('CoerceAndRelayNTLMToADCS', [source], coercible);
        }
      }
    }
  }
  return [...found].sort();
}
