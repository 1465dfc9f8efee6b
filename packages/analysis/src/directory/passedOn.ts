/**
 * Decides which control a container, a unit, a domain and a policy pass on. One rule for zones, exposure, paths and plans:
 *
 * - Control of a container or a unit reaches what it contains by inherited entries of access lists, so never a child whose list is
 *   protected, nor anything below such a child.
 * - Anyone who controls a unit or a domain can link a policy and enforce it, so control of these also reaches all accounts below that
 *   process policies, protected or not. A policy cannot be linked to a container.
 * - Policies reach users and computers alone, and no disabled account: nothing signs in as it.
 * - A policy that is not enforced reaches nothing in or below a unit that blocks inheritance, if it is linked above it.
 * - Control of a domain is control of all that it contains.
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

/** @returns whether policies that apply to the node change what it does: a user or computer that is not known to be disabled */
export const takesPolicies = (context: AnalysisContext, node: number): boolean =>
  (context.nodesOf('User').has(node) || context.nodesOf('Computer').has(node)) &&
  context.properties.flag('enabled', node) !== false;

/** @returns whether objects are stored in the node: a unit or a container */
export const isPlace = (context: AnalysisContext, node: number): boolean =>
  context.nodesOf('OU').has(node) || context.nodesOf('Container').has(node);
