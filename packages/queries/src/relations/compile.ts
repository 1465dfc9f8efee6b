/** Compiles relations from names to numeric tables for one graph, for the traversal. */
import { isAttackStep } from '@clew/analysis';
import { type Adjacency, type AttackGraph, getOrMake, kindTest } from '@clew/graph';
import { EdgeKind, NodeKind, type NodeKindName } from '@clew/model';
import type { QueryData } from '../queryData.ts';
import {
  type EdgeStep,
  isEnvironmentStep,
  type Relation,
  type ResultCondition,
  type Step,
  type StepCondition,
} from './relation.ts';

/** A traversal stores the states in which a node was visited as bits of one byte; the eighth marks results. */
export const MAX_STATES = 7;

export interface CompiledStep {
  readonly to: number;
  /** 1 for each allowed target kind set; `undefined` if all are allowed. */
  readonly onto: Uint8Array | undefined;
  readonly when: StepCondition | undefined;
}

/** All edge steps from one state in one direction: each edge is checked once to determine the matching steps. */
export interface Arm {
  readonly adjacency: Adjacency;
  readonly inward: boolean;
  readonly steps: readonly CompiledStep[];
  /** The only step, if it has no condition: the loop over edges is then much shorter. */
  readonly plainStep: CompiledStep | undefined;
  /** Bits of the steps that follow each edge kind. */
  readonly stepsByKind: Uint8Array;
  /** Bits of the steps that follow kinds outside the table. */
  readonly stepsOfOtherKinds: number;
  /** Bits of the steps that may leave a node, by its kind set. */
  readonly stepsByKindSet: Uint8Array;
}

export interface CompiledEnvironmentStep {
  readonly to: number;
  /** 1 for each kind set with the requested kind. */
  readonly members: Uint8Array;
}

export interface CompiledRelation {
  readonly arms: readonly (readonly Arm[])[];
  readonly environmentSteps: readonly (readonly CompiledEnvironmentStep[])[];
  /** Bits of accepting states. */
  readonly accepts: number;
  /** 1 for each allowed kind set of a result; `undefined` if all are allowed. */
  readonly kinds: Uint8Array | undefined;
  readonly keep: ResultCondition | undefined;
  /** Initial state of the traversal by kind set of the entity. */
  readonly begins: Uint8Array;
}

const compiledByGraph = new WeakMap<AttackGraph, Map<Relation, CompiledRelation>>();

/** Compiled once for each graph. */
export function compileRelation(data: QueryData, relation: Relation): CompiledRelation {
  const known = getOrMake(compiledByGraph, data.graph, () => new Map());
  return getOrMake(known, relation, () => compile(data.graph, relation));
}

function compile(graph: AttackGraph, relation: Relation): CompiledRelation {
  const numbers = new Map<string, number>([['origin', 0]]);
  const numberOf = (state: string): number => {
    const number = numbers.get(state) ?? numbers.size;
    numbers.set(state, number);
    return number;
  };
  for (const { from, to } of relation.steps) {
    numberOf(from);
    numberOf(to);
  }
  if (numbers.size > MAX_STATES) throw new RangeError(`a relation has at most ${MAX_STATES} states`);

  const states = [...numbers.keys()];
  const leaving = (state: string): readonly Step[] => relation.steps.filter((step) => step.from === state);
  return {
    arms: states.map((state) => compileArms(graph, leaving(state), numberOf)),
    environmentSteps: states.map((state) =>
      leaving(state)
        .filter(isEnvironmentStep)
        .map((step) => ({ to: numberOf(step.to), members: testAnyKind(graph, [step.members]) })),
    ),
    accepts: relation.accepts.reduce((bits, state) => bits | (1 << numberOf(state)), 0),
    kinds: relation.kinds && testAnyKind(graph, relation.kinds),
    keep: relation.keep,
    begins: compileBegins(graph, relation, numberOf),
  };
}

function compileArms(
  graph: AttackGraph,
  leaving: readonly Step[],
  numberOf: (state: string) => number,
): readonly Arm[] {
  const arms: Arm[] = [];
  for (const along of ['out', 'in'] as const) {
    const steps = leaving.filter(
      (step): step is EdgeStep => !isEnvironmentStep(step) && step.along === along,
    );
    if (steps.length === 0) continue;
    const declared = graph.declared.steps.map(({ kind }) => kind);
    const stepsByKind = new Uint8Array(Math.max(...Object.values(EdgeKind), ...declared) + 1);
    const stepsByKindSet = new Uint8Array(graph.kindSets.length);
    let stepsOfOtherKinds = 0;
    steps.forEach((step, index) => {
      const bit = 1 << index;
      if (step.kinds === 'any') {
        stepsOfOtherKinds |= bit;
        for (let kind = 0; kind < stepsByKind.length; kind++) stepsByKind[kind] |= bit;
      } else if (step.kinds === 'traversable') {
        for (let kind = 0; kind < stepsByKind.length; kind++)
          if (isAttackStep(graph, kind)) stepsByKind[kind] |= bit;
      } else {
        for (const kind of step.kinds) stepsByKind[EdgeKind[kind]] |= bit;
      }
      const barred = testAnyKind(graph, step.notFrom ?? []);
      for (let set = 0; set < barred.length; set++) if (barred[set] === 0) stepsByKindSet[set] |= bit;
    });
    const compiled = steps.map((step) => ({
      to: numberOf(step.to),
      onto: step.onto && testAnyKind(graph, step.onto),
      when: step.when,
    }));
    arms.push({
      adjacency: graph[along],
      inward: along === 'in',
      steps: compiled,
      plainStep: compiled.length === 1 && compiled[0].when === undefined ? compiled[0] : undefined,
      stepsByKind,
      stepsOfOtherKinds,
      stepsByKindSet,
    });
  }
  return arms;
}

function compileBegins(
  graph: AttackGraph,
  relation: Relation,
  numberOf: (state: string) => number,
): Uint8Array {
  const begins = new Uint8Array(graph.kindSets.length);
  for (const [kind, state] of Object.entries(relation.begins ?? {})) {
    const test = testAnyKind(graph, [kind as NodeKindName]);
    for (let set = 0; set < begins.length; set++) if (test[set] === 1) begins[set] = numberOf(state);
  }
  return begins;
}

/** @returns 1 for each kind set that contains at least one of the kinds */
function testAnyKind(graph: AttackGraph, kinds: readonly NodeKindName[]): Uint8Array {
  const any = new Uint8Array(graph.kindSets.length);
  for (const kind of kinds) {
    const test = kindTest(graph, NodeKind[kind]);
    for (let set = 0; set < any.length; set++) any[set] |= test[set];
  }
  return any;
}
