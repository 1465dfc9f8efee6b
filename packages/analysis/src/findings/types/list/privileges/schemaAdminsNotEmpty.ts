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
    risk: 'A member decides about the permissions of every object that is created from then on, in the whole forest.',
    fix: 'Empty Schema Admins, and add a person only for the time of a change of the schema.',
    care: 'Installations that extend the schema, Exchange for example, need a member for that day.',
  },
  what: 'Schema Admins has members other than the built-in Administrator although no change of the schema is under way.',
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
