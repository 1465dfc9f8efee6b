import { EDGE_KINDS } from '@clew/model';
import { expect, it } from 'vitest';
import { edgeText, TRAVERSABLE_KINDS } from './edgeKinds.ts';

it('every built-in kind that hands control on has its sentence and its removal', () => {
  const missing = EDGE_KINDS.filter(
    ({ traversable, name }) => traversable && edgeText(name).category === 'other',
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
  expect([...TRAVERSABLE_KINDS.values()].flat().sort()).toEqual(
    EDGE_KINDS.filter(({ traversable }) => traversable)
      .map(({ name }) => name)
      .sort(),
  );
});

it('kinds of uploads go by the words of their own name', () => {
  expect(edgeText('__proto__').phrase).toBe('proto');
  expect(edgeText('ForgeCanPush').phrase).toBe('forge can push');
  expect(edgeText('ForgeCanPush').category).toBe('other');
});
