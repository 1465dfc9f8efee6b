/**
 * Trusts between domains. A trust edge leads from the trusting to the trusted domain; an abuse edge leads from the attacker's domain to the
 * compromised one.
 *
 * Rule: `docs/reference/collections.md#domains`.
 */
import type { EdgeFact, PropertyValue } from '@clew/model';
import { member } from '../json/member.ts';
import type { DirectoryObject } from './directoryObject.ts';
import { edge } from './edges.ts';
import type { Members } from './members.ts';
import { Method } from './methods.ts';
import type { Principal } from './principal.ts';
import { FURTHER_TRUST_TYPES, TRUST_DIRECTION, TRUST_TYPE, trustAttributeBits, wordOf } from './words.ts';

const WITHIN_FOREST: ReadonlySet<string> = new Set(['ParentChild', 'TreeRoot', 'CrossLink']);
const INBOUND: ReadonlySet<string> = new Set(['Inbound', 'Bidirectional']);
const OUTBOUND: ReadonlySet<string> = new Set(['Outbound', 'Bidirectional']);

export function readTrusts(domain: DirectoryObject): void {
  domain.addAspect('trusts', domain.enumerates('Trusts', Method.Trusts), () => ({
    edges: domain.children('Trusts').flatMap((trust) => readTrust(domain, trust)),
  }));
}

function readTrust(domain: DirectoryObject, trust: Members): EdgeFact[] {
  const partner: Principal = { id: trust.reference('TargetDomainSid'), kind: 'Domain' };
  if (partner.id === '') {
    domain.problems.note('trusts without the SID of the other domain were skipped');
    return [];
  }
  const name = trust.text('TargetDomainName').toUpperCase();
  domain.addNode(partner, name === '' ? { domainsid: partner.id } : { name, domainsid: partner.id });
  const type = member(trust.json, 'TrustType') ?? '';
  if (type !== '' && wordOf<string>(type, TRUST_TYPE, FURTHER_TRUST_TYPES) === undefined)
    domain.problems.note('the type of a trust is unknown; it counts as a trust between forests');
  const direction = trust.word('TrustDirection', TRUST_DIRECTION);
  if (direction === undefined) {
    domain.problems.lose('a trust without a known direction creates no relationship');
    return [];
  }
  if (contradicts(trust))
    domain.problems.note('flags of a trust contradict its attributes; the attributes are used');
  return [
    ...(INBOUND.has(direction) ? inboundEdges(domain.self, partner, trust) : []),
    ...(OUTBOUND.has(direction) ? outboundEdges(domain.self, partner, trust) : []),
  ];
}

/** The partner trusts the domain. */
function inboundEdges(domain: Principal, partner: Principal, trust: Members): EdgeFact[] {
  const { trusttype, transitive, isWithinForest, delegates, attributes } = factsOf(trust);
  const properties = {
    trusttype,
    transitive,
    trustattributesinbound: attributes,
    // A collector that omits the attributes cannot know the delegation either.
    ...(attributes === null ? {} : { tgtdelegation: delegates }),
  };
  const trusting = edge(
    partner,
    isWithinForest ? 'SameForestTrust' : 'CrossForestTrust',
    domain,
    undefined,
    properties,
  );
  if (isWithinForest || !delegates) return [trusting];
  return [trusting, edge(partner, 'AbuseTGTDelegation', domain, undefined, { trusttype })];
}

/** The domain trusts the partner. */
function outboundEdges(domain: Principal, partner: Principal, trust: Members): EdgeFact[] {
  const facts = factsOf(trust);
  const { trusttype, transitive, isWithinForest } = facts;
  const [spoofsidhistoryblocked, trustattributesoutbound] = [facts.filtersSids, facts.attributes];
  const properties = { trusttype, transitive, spoofsidhistoryblocked, trustattributesoutbound };
  const trusting = edge(
    domain,
    isWithinForest ? 'SameForestTrust' : 'CrossForestTrust',
    partner,
    undefined,
    properties,
  );
  if (isWithinForest || spoofsidhistoryblocked) return [trusting];
  return [trusting, edge(partner, 'SpoofSIDHistory', domain, undefined, { trusttype })];
}

interface TrustFacts {
  readonly trusttype: string;
  /** Null if the collector could not read it. */
  readonly attributes: PropertyValue;
  readonly transitive: boolean;
  readonly isWithinForest: boolean;
  readonly filtersSids: boolean;
  readonly delegates: boolean;
}

/** Bits of MS-ADTS 6.1.6.7.9. */
const NON_TRANSITIVE = 0x1;
const QUARANTINED_DOMAIN = 0x4;
const FOREST_TRANSITIVE = 0x8;
const WITHIN_THE_FOREST = 0x20;
const TREAT_AS_EXTERNAL = 0x40;
const ENABLE_TGT_DELEGATION = 0x800;

/** Trust attributes take precedence: collectors compute the flags from them. If they are unknown, the flags apply. */
function factsOf(trust: Members): TrustFacts {
  const given = member(trust.json, 'TrustType');
  const known = wordOf<string>(given, TRUST_TYPE, FURTHER_TRUST_TYPES);
  const trusttype = known ?? (typeof given === 'string' ? given : '');
  const attributes = trustAttributes(trust);
  const isWithinForest = WITHIN_FOREST.has(trusttype);
  if (typeof attributes !== 'number')
    return {
      ...{ trusttype, attributes, isWithinForest },
      transitive: trust.flag('IsTransitive') === true,
      filtersSids: trust.flag('SidFilteringEnabled') === true,
      delegates: trust.flag('TGTDelegationEnabled') === true,
    };
  const has = (bit: number): boolean => (attributes & bit) !== 0;
  const isWithin = has(WITHIN_THE_FOREST) || (isWithinForest && attributes === 0);
  return {
    ...{ trusttype, attributes, isWithinForest: isWithin },
    // External trusts without the bit are not transitive either.
    transitive: !has(NON_TRANSITIVE) && trust.flag('IsTransitive') !== false,
    filtersSids: has(QUARANTINED_DOMAIN) || (has(FOREST_TRANSITIVE) && !has(TREAT_AS_EXTERNAL)),
    delegates: !has(QUARANTINED_DOMAIN) && (isWithin || has(ENABLE_TGT_DELEGATION)),
  };
}

/** Whether the attributes of a trust across forests contradict the flags that the collector computed from them. */
function contradicts(trust: Members): boolean {
  const { attributes, isWithinForest, transitive, filtersSids, delegates } = factsOf(trust);
  if (attributes === null || isWithinForest) return false;
  const differs = (flag: boolean | undefined, value: boolean): boolean =>
    flag !== undefined && flag !== value;
  return (
    differs(trust.flag('IsTransitive'), transitive) ||
    differs(trust.flag('SidFilteringEnabled'), filtersSids) ||
    differs(trust.flag('TGTDelegationEnabled'), delegates)
  );
}

/** A number, digits, or names of bits; any other value is unknown. */
function trustAttributes(trust: Members): PropertyValue {
  const value = member(trust.json, 'TrustAttributes');
  if (typeof value === 'string' && /[a-z]/i.test(value)) return trustAttributeBits(value) ?? null;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? Math.trunc(number) : null;
}
