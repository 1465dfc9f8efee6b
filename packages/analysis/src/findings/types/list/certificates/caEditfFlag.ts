import { alternativeNames } from '../../families/certificates.ts';
import type { ListFindingType } from '../../findingType.ts';
import { authoritiesWhere } from './common.ts';

export const caEditfFlag = {
  kind: 'list',
  id: 'CAEditfFlag',
  title: 'CA Accepts Requester-Supplied Names',
  platform: 'ad',
  category: 'CS',
  scope: 'hygiene',
  nature: 'opening',
  floor: 'high',
  family: alternativeNames,
  what: 'A certification authority accepts alternative names that the requester supplies.',
  needs: ['isuserspecifiessanenabled'],
  find: (facts) => authoritiesWhere(facts, 'isuserspecifiessanenabled', true),
} as const satisfies ListFindingType;
