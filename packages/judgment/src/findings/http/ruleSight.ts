/** Determines which of the objects named in selectors the caller may see. */
import type { Principal } from '@clew/common';
import { isVisible, visibilityOf } from '@clew/explore';
import type { GenerationSource } from '@clew/generation';
import { findNamedNode, NO_NODE, nameOf } from '@clew/graph';
import { queryDataOf } from '@clew/queries';
import type { RuleSight } from '../zones/seenRules.ts';
import { visibleEnvironments } from './askedScope.ts';

/** @returns undefined for users who may see everything */
export function ruleSight(generations: GenerationSource, principal: Principal): RuleSight | undefined {
  const visible = visibleEnvironments(principal);
  if (visible === null) return undefined;
  const data = queryDataOf(generations.current());
  const visibility = visibilityOf(data, principal);
  const nodeOf = (objectId: string): number => findNamedNode(data.graph, objectId);
  return {
    sees: (objectId) => {
      const node = nodeOf(objectId);
      return (
        visible.includes(objectId.toUpperCase()) || (node !== NO_NODE && isVisible(data, visibility, node))
      );
    },
    nameOf: (objectId) => {
      const node = nodeOf(objectId);
      return node === NO_NODE ? undefined : nameOf(data.graph, node);
    },
  };
}
