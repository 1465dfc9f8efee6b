/**
 * Decides which control of a container, unit, domain or policy is passed on. This one rule serves zones, exposure, paths and plans:
 *
 * - Control of a container or a unit reaches its contents through inherited access list entries, so it never reaches a child with a
 *   protected list, nor anything below such a child.
 * - A principal that controls a unit or a domain can link a policy and enforce it, so this control also reaches all accounts below that
 *   process policies, protected or not. A policy cannot be linked to a container.
 * - Policies reach only users and computers, and no disabled account, because no one signs in with it.
 * - A policy linked above a unit that blocks inheritance reaches nothing in or below it, unless it is enforced.
 * - Control of a domain is control of everything in it.
 *
 * If a containment edge or a link does not pass control on, a NotPassedOn edge is added in parallel, and other edges for the control that
 * is passed on. Rule: `docs/rules.md#notpassedon`.
 */
import type { AnalysisContext } from '../analysisContext.ts';

/** @returns whether control of a container gives control of its child. A child inherits unless it is known to be protected */
export const inherits = (context: AnalysisContext, child: number): boolean =>
  context.properties.flag('isaclprotected', child) !== true;

/** @returns whether links to units above do not apply to this node */
export const blocksInheritance = (context: AnalysisContext, node: number): boolean =>
  context.nodesOf('OU').has(node) && context.properties.flag('blocksinheritance', node) === true;

/** @returns whether policies that apply to the node affect it: a user or computer that is not known to be disabled */
export const takesPolicies = (context: AnalysisContext, node: number): boolean =>
  (context.nodesOf('User').has(node) || context.nodesOf('Computer').has(node)) &&
  context.properties.flag('enabled', node) !== false;

/** @returns whether the node stores objects: a unit or a container */
export const isPlace = (context: AnalysisContext, node: number): boolean =>
  context.nodesOf('OU').has(node) || context.nodesOf('Container').has(node);
