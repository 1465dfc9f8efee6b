/** Texts of repairs of declared relationships, as worded by the definition. */
import { type DeclaredStep, NOTHING_DECLARED } from '@clew/graph';
import { expect, it } from 'vitest';
import { textOfRepair } from './repairWords.ts';

const NAMES = {
  ...{ object: 'ROOT CONSOLE', objectKind: 'Console', principal: 'ADA', relations: ['Con_Edits'] },
  ...{ isInherited: false, inheritedFrom: '' },
};
const STEP: DeclaredStep = { kind: 900, name: 'Con_Edits', effort: 1, reason: '', family: 'CON' };
const textWith = (step: Partial<DeclaredStep>) =>
  textOfRepair(
    { declared: { ...NOTHING_DECLARED, steps: [{ ...STEP, ...step }] } },
    'remove-relation',
    NAMES,
  );

it('call a relationship by its phrase, and say how to remove it as its definition does', () => {
  expect(textWith({ phrase: 'can change', removal: 'Remove the editor.' })).toMatchObject({
    title: 'Remove this relationship: ADA can change ROOT CONSOLE',
    change: 'Remove the editor.',
  });
  expect(textWith({ phrase: 'can change' }).change).toBe(
    'Remove the rights of ADA that cause this: it can change ROOT CONSOLE.',
  );
});

it('name the relationship where its definition has no phrase', () => {
  const { title, change } = textWith({});
  expect(`${title} ${change}`).toContain('Con_Edits');
});
