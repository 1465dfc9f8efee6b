/**
 * The language in which a related list is written: a small automaton over edge kinds. A walk begins at the entity in
 * state `origin`, each step follows edges of some kinds in one direction from one state to the next, and every node
 * met in an accepting state is a result. So "controllers" reads: over an ACL edge inward to a holder, over MemberOf
 * inward to further holders; holders are results.
 */
import type { EdgeKindName, NodeKindName } from '@clew/model';
import type { QueryData } from '../queryData.ts';

/** A condition beyond the kinds of edge and node. `flags` are the bits of the edge. */
export type StepCondition = (data: QueryData, from: number, to: number, flags: number) => boolean;

/** Whether a node met in an accepting state is shown. */
export type ResultCondition = (data: QueryData, node: number, root: number) => boolean;

export interface EdgeStep {
  readonly from: string;
  readonly to: string;
  /** `out` follows edges along their direction, `in` against it. */
  readonly along: 'out' | 'in';
  readonly kinds: readonly EdgeKindName[] | 'any';
  /** Only onto nodes that carry one of these kinds. */
  readonly onto?: readonly NodeKindName[];
  /** Not from nodes that carry one of these kinds. */
  readonly notFrom?: readonly NodeKindName[];
  readonly when?: StepCondition;
}

/** A step from an environment to every node of a kind that belongs to it. No edge represents it. */
export interface EnvironmentStep {
  readonly from: string;
  readonly to: string;
  readonly members: NodeKindName;
}

export type Step = EdgeStep | EnvironmentStep;

export interface Relation {
  readonly steps: readonly Step[];
  /** Nodes met in these states are results; the entity itself never is. */
  readonly accepts: readonly string[];
  /** Results carry one of these kinds. */
  readonly kinds?: readonly NodeKindName[];
  readonly keep?: ResultCondition;
  /** State to begin in when the entity carries the kind, instead of `origin`. */
  readonly begins?: Readonly<Partial<Record<NodeKindName, string>>>;
  /** The list has no graph form. */
  readonly listOnly?: boolean;
}

/** Narrows results further: both relations below take it. */
export type ResultFilter = Pick<Relation, 'kinds' | 'keep'>;

/** One step: the nodes at the other end of edges of these kinds. */
export function neighbors(
  along: EdgeStep['along'],
  kinds: EdgeStep['kinds'],
  filter: ResultFilter = {},
): Relation {
  return { steps: [{ from: 'origin', to: 'found', along, kinds }], accepts: ['found'], ...filter };
}

/** Any number of steps: every node reached, inner ones included. */
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

/** Finds the results of either relation. Both begin in `origin`; their other states stay apart. */
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
