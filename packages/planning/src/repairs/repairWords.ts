/** The text of a repair: from the definition that declares its relationship, or else from its kind. */
import { edgeNumberOf } from '@clew/analysis';
import type { AttackGraph } from '@clew/graph';
import { declaredRepair } from './declaredRepairs.ts';
import type { RepairKind } from './repairKinds.ts';
import { repairText } from './repairTexts.ts';
import type { RepairNames, RepairText } from './repairTextTypes.ts';

type Declaring = Pick<AttackGraph, 'declared'>;

/** @returns undefined unless the repair removes one relationship for which a definition has a phrase */
function phrasedText({ declared }: Declaring, kind: RepairKind, names: RepairNames): RepairText | undefined {
  const [relation, ...more] = names.relations;
  const step = declared.steps.find(({ name }) => name === relation);
  if (kind !== 'remove-relation' || more.length > 0 || step?.phrase === undefined) return undefined;
  const said = `${names.principal} ${step.phrase} ${names.object}`;
  const text = repairText(kind, names);
  return {
    ...text,
    title: `Remove this relationship: ${said}`,
    change:
      step.removal ??
      `Remove the rights of ${names.principal} that cause this: it ${step.phrase} ${names.object}.`,
  };
}

/** @returns the text of the definition, or by default the text of the kind of repair */
export function textOfRepair(graph: Declaring, kind: RepairKind, names: RepairNames): RepairText {
  const text = wordedText(graph, kind, names);
  const { leavesWithoutAdministrator: administered, principal } = names;
  if (administered === undefined) return text;
  return {
    ...text,
    change: `First make someone else an administrator of ${administered}, and let that person sign in with it once: no other enabled administrator is known. Then: ${text.change}`,
    risk: `Without another administrator, no one can administer ${administered} after ${principal} loses its access. ${text.risk}`,
  };
}

function wordedText(graph: Declaring, kind: RepairKind, names: RepairNames): RepairText {
  const text = phrasedText(graph, kind, names) ?? repairText(kind, names);
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
