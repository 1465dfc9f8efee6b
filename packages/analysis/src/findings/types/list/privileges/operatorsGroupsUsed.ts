import { OPERATOR_GROUPS } from '../../../leadsTo.ts';
import { zoneMembership } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { notEmpty } from './common.ts';

export const operatorsGroupsUsed = {
  kind: 'list',
  id: 'OperatorsGroupsUsed',
  title: 'Operator Groups Not Empty',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: zoneMembership,
  remedy: {
    risk: 'Operator groups can do far more than their names suggest: they can change most accounts, or log on to domain controllers and load code there.',
    fix: 'Empty the operator group, and delegate its tasks in another way.',
    care: 'Backup, print and Exchange products may depend on operator groups, and stop without them: find out first what each member uses the group for.',
  },
  what: 'Account Operators, Server Operators, Print Operators or Backup Operators has members.',
  needs: [],
  reads: { edges: ['MemberOf'] },
  find: (facts) => notEmpty(facts, facts.withSuffix(facts.groups, ...OPERATOR_GROUPS)),
} as const satisfies ListFindingType;
