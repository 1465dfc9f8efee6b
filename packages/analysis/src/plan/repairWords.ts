/** A repair in the words of the definition that declares its relationship, or in those of its kind. */
import type { AttackGraph } from '@clew/graph';
import { edgeNumberOf } from '../edgeNames.ts';
import { declaredRepair } from './declaredRepairs.ts';
import type { RepairKind } from './repairs.ts';
import { repairText } from './repairTexts.ts';
import type { RepairNames, RepairText } from './repairTextTypes.ts';

type Declaring = Pick<AttackGraph, 'declared'>;

/** @returns the words of the definition, and those of the kind of repair where it says nothing */
export function textOfRepair(graph: Declaring, kind: RepairKind, names: RepairNames): RepairText {
  const text = repairText(kind, names);
  const relation = edgeNumberOf(graph, names.relations[0] ?? '');
  const own =
    kind === 'remove-relation' && relation !== undefined ? declaredRepair(graph, relation) : undefined;
  if (own === undefined) return text;
  const { object, principal } = names;
  const [source, target] = own.isAtStart ? [object, principal] : [principal, object];
  const filled = (said: string, otherwise: string): string =>
    said === ''
      ? otherwise
      : said.replace(/\{(source|target)\}/g, (_, end) => (end === 'source' ? source : target));
  return {
    title: filled(own.title, text.title),
    change: filled(own.change, text.change),
    check: filled(own.check, text.check),
    risk: filled(own.risk, text.risk),
  };
}
