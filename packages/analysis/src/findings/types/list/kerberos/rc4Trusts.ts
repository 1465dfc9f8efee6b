import type { NodeSet } from '@clew/graph';
import type { EdgeKindName } from '@clew/model';
import type { FindingFacts } from '../../../findingFacts.ts';
import { trusts } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

/** Bit of trustAttributes: the trust uses RC4. Source: [MS-ADTS] 6.1.6.7.9. */
const USES_RC4 = 0x80;

/** Trust attributes from either side. */
const BOTH_SIDES = ['trustattributesinbound', 'trustattributesoutbound'] as const;

export const rc4Trusts = {
  kind: 'list',
  id: 'RC4Trusts',
  title: 'Trust Limited to RC4',
  ...classed({ platform: 'ad', category: 'KR', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: trusts,
  remedy: {
    risk: 'Tickets for the other side of the trust are protected with a weak, outdated cipher.',
    fix: 'Allow AES for the trust on both sides, and reset its password.',
    steps: [
      'Check that the domain controllers of both sides support AES.',
      'Allow AES on the trust object of both sides (The other domain supports Kerberos AES Encryption, or ksetup /setenctypeattr).',
      'Reset the password of the trust on both sides in a maintenance window, so that AES keys exist.',
    ],
    verify: [
      'msDS-SupportedEncryptionTypes of the trust includes AES, and tickets for the other side use it (event 4769).',
    ],
    care: 'Logons over the trust fail if one side does not support AES, or if both sides do not have the same new password.',
  },
  what: 'The domain has a trust that is set to use RC4.',
  needs: [],
  reads: {
    edges: ['SameForestTrust', 'CrossForestTrust'],
    edgeProperties: { SameForestTrust: BOTH_SIDES, CrossForestTrust: BOTH_SIDES },
  },
  find: domainsWithRc4Trust,
} as const satisfies ListFindingType;

/** The attributes on one side of a trust belong to the domain of that side. */
function domainsWithRc4Trust(facts: FindingFacts): NodeSet {
  const { context } = facts;
  const kinds: readonly EdgeKindName[] = ['SameForestTrust', 'CrossForestTrust'];
  const usesRc4 = (value: unknown): boolean => typeof value === 'number' && (value & USES_RC4) !== 0;
  const trusts = facts.edges(...kinds);
  const hasRc4 = (start: number, kind: number, end: number, side: string): boolean =>
    usesRc4(context.edgeProperties.get(start, kind, end)?.[side]);
  return facts.of('Domain').filter((domain) => {
    let found = false;
    trusts.outOf(domain, (end, kind) => {
      found ||= hasRc4(domain, kind, end, 'trustattributesoutbound');
    });
    trusts.into(domain, (start, kind) => {
      found ||= hasRc4(start, kind, domain, 'trustattributesinbound');
    });
    return found;
  });
}
