/**
 * Decides which control a container, a unit, a domain and a policy pass on. One rule for zones, exposure, paths and plans:
 *
 * - Control of a container reaches its children by inherited entries of access lists alone, so never a child whose list is
 *   protected. A policy cannot be linked to a container.
 * - Control of a unit or a domain reaches all objects below, protected or not: anyone who has it can link and enforce a policy.
 * - A policy that is not enforced reaches nothing in or below a unit that blocks inheritance, if it is linked above it.
 *
 * Where an edge of containment or a link does not pass control on, a NotPassedOn edge is added to it, and other edges for the control that
 * does pass. Rule: `docs/rules.md#notpassedon`.
 */
import type { AnalysisContext } from '../analysisContext.ts';

/** @returns whether control of a container gives control of its child. A child that is not known to be protected inherits. */
export const inherits = (context: AnalysisContext, child: number): boolean =>
  context.properties.flag('isaclprotected', child) !== true;

/** @returns whether links to units above count no more at this node */
export const blocksInheritance = (context: AnalysisContext, node: number): boolean =>
  context.nodesOf('OU').has(node) && context.properties.flag('blocksinheritance', node) === true;
