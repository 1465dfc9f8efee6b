import { zoneMembership } from '../../families/directory.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { membersAtAnyDepth } from './common.ts';

export const schemaAdminsNotEmpty = {
  kind: 'list',
  id: 'SchemaAdminsNotEmpty',
  title: 'Schema Admins Not Empty',
  ...classed({ platform: 'ad', category: 'LP', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: zoneMembership,
  remedy: {
    risk: 'A member can decide the permissions of every new object in the whole forest.',
    fix: 'Empty Schema Admins, and add a person only for the duration of a schema change.',
    care: 'Installations that extend the schema, such as Exchange, need a member on that day.',
  },
  what: 'Schema Admins has members other than the built-in Administrator, which are needed only during a schema change.',
  needs: [],
  reads: { edges: ['MemberOf'] },
  find: (facts) => {
    const administrators = facts.withSuffix(facts.users, '-500');
    return facts.withSuffix(facts.groups, '-518').filter((group) => {
      const members = membersAtAnyDepth(facts, group).and(facts.users.or(facts.computers));
      return !members.isSubsetOf(administrators);
    });
  },
} as const satisfies ListFindingType;
