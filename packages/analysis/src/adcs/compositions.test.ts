/** Whole compositions, one per kind: the evidence that an analyst sees for an edge (`docs/rules.md#how-the-rules-run`). */
import { EdgeKind } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { derive, explain, inputOf, Pki, published, SAN_FLAG, TEMPLATE } from '../../test/adcs/pki.ts';
import { relayTargets } from '../analyze.ts';
import { Oid } from './certTemplates.ts';

/** Relations that make D accept certificates of C. */
const CHAIN = ['IssuedSignedBy C R', 'RootCAFor R D', 'TrustedForNTAuth C N', 'NTAuthStoreFor N D'];
const HOST = 'HostsCAService H C';
const PUBLISHED = 'PublishedTo T C';

function compositionOf(edge: string, change: (pki: Pki) => unknown): string[] {
  const pki = new Pki();
  change(pki);
  const world = pki.build();
  const { result, edges } = derive(world);
  expect(edges).toContain(edge);
  return explain(world, published(world, result), edge);
}

describe('the composition', () => {
  it('of GoldenCert is the host and the trust in its CA', () => {
    expect(compositionOf('GoldenCert H D', () => {})).toEqual([...CHAIN, HOST].sort());
  });

  it('of ADCSESC1 shows the groups that lead to enrollment and no others', () => {
    const composition = compositionOf('ADCSESC1 u D', (pki) =>
      pki
        .set('T', { enrolleesuppliessubject: true })
        .facts('u in A', 'u in B', 'u in Other', 'A en T', 'B in B2', 'B2 en C', 'w en C'),
    );
    expect(composition).toEqual(
      [
        ...CHAIN,
        HOST,
        PUBLISHED,
        'MemberOf u A',
        'Enroll A T',
        'MemberOf u B',
        'MemberOf B B2',
        'Enroll B2 C',
      ].sort(),
    );
  });

  it('of ADCSESC1 shows rights that everybody has', () => {
    const composition = compositionOf('ADCSESC1 A D', (pki) =>
      pki.set('T', { enrolleesuppliessubject: true }).facts('A en T', 'EV en C'),
    );
    expect(composition).toEqual(
      [...CHAIN, HOST, PUBLISHED, 'Enroll A T', 'MemberOf AU EV', 'Enroll EV C'].sort(),
    );
  });

  it('shows every CA and template that supports the edge, and none that does not', () => {
    const composition = compositionOf('ADCSESC1 A D', (pki) =>
      pki
        .set('T', { enrolleesuppliessubject: true })
        .add('T2', 'CertTemplate', { ...TEMPLATE, enrolleesuppliessubject: true })
        .add('T3', 'CertTemplate', TEMPLATE)
        .facts('T2 PublishedTo C', 'T3 PublishedTo C', 'A en T', 'A en T2', 'A en T3', 'A en C'),
    );
    expect(composition).toEqual(
      [...CHAIN, HOST, PUBLISHED, 'PublishedTo T2 C', 'Enroll A T', 'Enroll A T2', 'Enroll A C'].sort(),
    );
  });

  it('leaves out CAs of the chain that do not lead to the domain', () => {
    const composition = compositionOf('GoldenCert H D', (pki) =>
      pki
        .set('C', { certchain: ['t1', 'i1', 'r1'] })
        .add('I1', 'AIACA', { certthumbprint: 'i1', certchain: ['i1', 'r1'] })
        .add('I2', 'AIACA', { certthumbprint: 'i1', certchain: ['i1', 'elsewhere'] })
        .add('R2', 'RootCA', { certthumbprint: 't1', certchain: ['t1'] }),
    );
    expect(composition).toEqual(
      [
        'IssuedSignedBy C I1',
        'IssuedSignedBy I1 R',
        'RootCAFor R D',
        'TrustedForNTAuth C N',
        'NTAuthStoreFor N D',
        HOST,
      ].sort(),
    );
  });

  it('of ADCSESC3 shows both templates and the delegation', () => {
    const composition = compositionOf('ADCSESC3 u D', (pki) =>
      pki
        .set('T', { effectiveekus: [Oid.certificateRequestAgent] })
        .set('C', { enrollmentagentrestrictionscollected: true, hasenrollmentagentrestrictions: true })
        .add('T2', 'CertTemplate', { ...TEMPLATE, schemaversion: 1 })
        .facts('T2 PublishedTo C', 'u en T', 'u en T2', 'AU en C', 'u DelegatedEnrollmentAgent T2'),
    );
    expect(composition).toEqual(
      [
        ...CHAIN,
        HOST,
        PUBLISHED,
        'PublishedTo T2 C',
        'EnrollOnBehalfOf T T2',
        'Enroll u T',
        'Enroll u T2',
        'DelegatedEnrollmentAgent u T2',
        'Enroll AU C',
      ].sort(),
    );
  });

  it('of ADCSESC3 is found behind authorities, templates and agents that do not serve', () => {
    const agent = { effectiveekus: [Oid.certificateRequestAgent] };
    const composition = compositionOf('ADCSESC3 u D', (pki) =>
      pki
        .set('T', agent)
        // Each of these precedes a valid one, because they are visited in id order.
        .add('A1', 'EnterpriseCA', { certthumbprint: 't0', certchain: ['t0', 'r1'], domainsid: 'S-1-5-21-1' })
        .add('B1', 'EnterpriseCA', { certthumbprint: 't2', certchain: ['t2', 'r1'], domainsid: 'S-1-5-21-1' })
        .set('N', { certthumbprints: ['t1', 't2'] })
        .add('H2', 'Computer', { enabled: true, domainsid: 'S-1-5-21-1' })
        .facts('H2 HostsCAService B1', 'T PublishedTo B1')
        .add('Q', 'CertTemplate', { ...TEMPLATE, ...agent, requiresmanagerapproval: true })
        .add('S0', 'CertTemplate', { ...TEMPLATE, schemaversion: 1, requiresmanagerapproval: true })
        .add('S1', 'CertTemplate', { ...TEMPLATE, schemaversion: 1 })
        .add('T2', 'CertTemplate', { ...TEMPLATE, schemaversion: 1 })
        .facts(
          'T PublishedTo A1',
          'Q PublishedTo C',
          'S0 PublishedTo C',
          'S1 PublishedTo C',
          'T2 PublishedTo C',
        )
        .facts('u en T', 'u en T2', 'u en S0', 'AU en C', 'AU en A1'),
    );
    expect(composition).toContain('EnrollOnBehalfOf T T2');
    expect(composition).toContain('PublishedTo T2 C');
    expect(composition.filter((line) => /A1|B1|Q|S0|S1/.test(line))).toEqual([]);
  });

  it('of ADCSESC4 shows each right that a branch takes', () => {
    const composition = compositionOf('ADCSESC4 A D', (pki) =>
      pki.facts('A en C', 'A GenericWrite T', 'A AllExtendedRights T', 'A WritePKIEnrollmentFlag T'),
    );
    expect(composition).toEqual(
      [...CHAIN, HOST, PUBLISHED, 'Enroll A C', 'GenericWrite A T', 'AllExtendedRights A T'].sort(),
    );
  });

  it('of ADCSESC6b shows the lenient domain controllers', () => {
    const composition = compositionOf('ADCSESC6b A D', (pki) =>
      pki
        .set('C', SAN_FLAG)
        .facts('A en T', 'A en C')
        .controller('c1', 'D', { certificatemappingmethodsraw: 31 })
        .controller('c2', 'D', { certificatemappingmethodsraw: 24 }),
    );
    expect(composition).toEqual([...CHAIN, HOST, PUBLISHED, 'Enroll A T', 'Enroll A C', 'DCFor c1 D'].sort());
  });

  it('of ADCSESC9a leads over the controlled victims, also where the binding is absent', () => {
    const composition = compositionOf('ADCSESC9a K D', (pki) =>
      pki
        .set('T', { nosecurityextension: true, subjectaltrequireupn: true })
        .facts('v in A', 'A en T', 'A en C', 'K GenericWrite v', 'K Owns v', 'K GenericWrite w')
        .controller('c1', 'D', { strongcertificatebindingenforcementraw: -1 })
        .controller('c2', 'D', { strongcertificatebindingenforcementraw: 2 }),
    );
    expect(composition).toEqual(
      [
        ...CHAIN,
        HOST,
        PUBLISHED,
        'GenericWrite K v',
        'Owns K v',
        'MemberOf v A',
        'Enroll A T',
        'Enroll A C',
        'DCFor c1 D',
      ].sort(),
    );
  });

  it('of ADCSESC13 leads from the policy to the group and its domain', () => {
    const composition = compositionOf('ADCSESC13 A LG', (pki) =>
      pki
        .set('T', { certificatepolicy: ['1.2.3'] })
        .add('I', 'IssuancePolicy', { certtemplateoid: '1.2.3', domainsid: 'S-1-5-21-1' })
        .add('OU', 'OU')
        .add('LG', 'Group')
        .facts('I OIDGroupLink LG', 'A en T', 'A en C', 'D Contains OU', 'OU Contains LG'),
    );
    expect(composition).toEqual(
      [
        ...CHAIN,
        HOST,
        PUBLISHED,
        'Enroll A T',
        'Enroll A C',
        'ExtendedByPolicy T I',
        'OIDGroupLink I LG',
        'Contains D OU',
        'Contains OU LG',
      ].sort(),
    );
  });

  it('of a relay shows how the computer enrolls, and its targets are the vulnerable CAs', () => {
    const pki = new Pki()
      .set('C', { hasvulnerableendpoint: true })
      .set('c', { restrictoutboundntlm: false })
      .facts('DC en T', 'AU en C', 'c in DC');
    const world = pki.build();
    const { result } = derive(world);
    expect(explain(world, published(world, result), 'CoerceAndRelayNTLMToADCS AU c')).toEqual(
      [...CHAIN, HOST, PUBLISHED, 'MemberOf c DC', 'Enroll DC T', 'MemberOf DC AU', 'Enroll AU C'].sort(),
    );
    const [start, end] = ['CORP.LOCAL-S-1-5-11', 'c'].map(world.node);
    const targets = relayTargets(published(world, result), {
      start,
      kind: EdgeKind.CoerceAndRelayNTLMToADCS,
      end,
    });
    expect(world.ids(targets)).toEqual(['C']);
  });

  it('of an edge that does not follow is empty', () => {
    const world = new Pki().facts('A en T', 'A en C').build();
    expect(explain(world, inputOf(world), 'ADCSESC1 A D')).toEqual([]);
    expect(explain(world, inputOf(world), 'ADCSESC9a A D')).toEqual([]);
    expect(explain(world, inputOf(world), 'CoerceAndRelayNTLMToADCS AU H')).toEqual([]);
  });
});
