import { alternativeNames } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { authoritiesWhere } from './common.ts';

export const caEditfFlag = {
  kind: 'list',
  id: 'CAEditfFlag',
  title: 'CA Accepts Requester-Supplied Names',
  ...classed({ platform: 'ad', category: 'CS', scope: 'hygiene', nature: 'opening' }),
  effort: 4,
  floor: 'high',
  family: alternativeNames,
  remedy: {
    fix: 'Clear EDITF_ATTRIBUTESUBJECTALTNAME2 (0x40000) in the EditFlags of the CA, and restart its service.',
    verify: ['certutil -getreg policy\\EditFlags no longer shows EDITF_ATTRIBUTESUBJECTALTNAME2.'],
  },
  what: 'A CA accepts alternative names that the requester supplies.',
  needs: ['isuserspecifiessanenabled'],
  reads: { edges: ['Enroll'] },
  find: (facts) => authoritiesWhere(facts, 'isuserspecifiessanenabled', true),
  usedBy: (facts, authority) => facts.edges('Enroll').startsOf(authority).andNot(facts.tierZero),
} as const satisfies ListFindingType;
