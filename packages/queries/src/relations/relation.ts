/**
 * Defines related lists as a small automaton over edge kinds. A traversal starts at the entity in state `origin`; each step follows edges
 * of some kinds in one direction from one state to the next, and every node visited in an accepting state is a result. For example,
 * "controllers": over an ACL edge inward to a holder, over MemberOf inward to further holders; holders are results.
 */
import type { EdgeKindName, NodeKindName } from '@clew/model';
import type { QueryData } from '../queryData.ts';

/** A condition besides the kinds of edge and node. `flags` are the bits of the edge. */
export type StepCondition = (data: QueryData, from: number, to: number, flags: number) => boolean;

/** Whether a node visited in an accepting state is shown. */
export type ResultCondition = (data: QueryData, node: number, root: number) => boolean;

export interface EdgeStep {
  readonly from: string;
  readonly to: string;
  /** `out` follows edges along their direction, `in` against it. */
  readonly along: 'out' | 'in';
  /** `traversable`: the steps of attack paths, including those that extensions declare. */
  readonly kinds: readonly EdgeKindName[] | 'any' | 'traversable';
  /** Only to nodes with one of these kinds. */
  readonly onto?: readonly NodeKindName[];
  /** Not from nodes with one of these kinds. */
  readonly notFrom?: readonly NodeKindName[];
  readonly when?: StepCondition;
}

/** A step from an environment to all its nodes of a kind. No edge represents it. */
export interface EnvironmentStep {
  readonly from: string;
  readonly to: string;
  readonly members: NodeKindName;
}

export type Step = EdgeStep | EnvironmentStep;

export interface Relation {
  readonly steps: readonly Step[];
  /** Nodes visited in these states are results; the entity itself never is. */
  readonly accepts: readonly string[];
  /** Results have one of these kinds. */
  readonly kinds?: readonly NodeKindName[];
  readonly keep?: ResultCondition;
  /** Initial state if the entity has the kind, instead of `origin`. */
  readonly begins?: Readonly<Partial<Record<NodeKindName, string>>>;
  /** The list has no graph form. */
  readonly listOnly?: boolean;
}

/** Restricts results; used by both relations below. */
export type ResultFilter = Pick<Relation, 'kinds' | 'keep'>;

/** One step: the nodes at the other end of edges of these kinds. */
export function neighbors(
  along: EdgeStep['along'],
  kinds: EdgeStep['kinds'],
  filter: ResultFilter = {},
): Relation {
  return { steps: [{ from: 'origin', to: 'found', along, kinds }], accepts: ['found'], ...filter };
}

/** Any number of steps: every reached node, including intermediate ones. */
export function closure(
  along: EdgeStep['along'],
  kinds: EdgeStep['kinds'],
  options: ResultFilter & Pick<EdgeStep, 'onto' | 'notFrom' | 'when'> = {},
): Relation {
  const { onto, notFrom, when, ...filter } = options;
  const edge = { along, kinds, onto, notFrom, when };
  return {
    steps: [
      { from: 'origin', to: 'found', ...edge },
      { from: 'found', to: 'found', ...edge },
    ],
    accepts: ['found'],
    ...filter,
  };
}

/** Finds the results of either relation. Both start in `origin`; their other states are separate. */
export function either(first: Relation, second: Relation): Relation {
  const apart = (state: string): string => (state === 'origin' ? state : `${state}'`);
  return {
    steps: [
      ...first.steps,
      ...second.steps.map((step) => ({ ...step, from: apart(step.from), to: apart(step.to) })),
    ],
    accepts: [...first.accepts, ...second.accepts.map(apart)],
  };
}

export function isEnvironmentStep(step: Step): step is EnvironmentStep {
  return 'members' in step;
}
