/** The parts of a plan other than its cards: remaining principals, open questions, exceptions to exactness, and how it was made. */
import type { AuthorityQuestionRecord, PlanExceptionRecord, PlanExplanationRecord } from '@clew/api';
import { objectIdOf } from '@clew/graph';
import { counted } from '@clew/model';
import {
  type AuthorityQuestion,
  EXCEPTIONS,
  type FirstPlan,
  type Plan,
  type PlanExplanation,
} from '@clew/planning';
import type { CardDetails } from './cardRecords.ts';
import { objectRecord } from './planRecords.ts';
import type { PlanState } from './planState.ts';
import { repairRecord, shortName } from './repairRecords.ts';
import type { StoredPlan } from './storedPlan.ts';

export const exceptionRecord = ({ kind, objects }: Plan['exceptions'][number]): PlanExceptionRecord => ({
  ...{ kind, object_count: objects },
  text: `Of ${counted(objects, 'object')}, ${EXCEPTIONS[kind].text}.`,
});

export const explanationRecord = ({ searches, stages }: PlanExplanation): PlanExplanationRecord => ({
  searches: searches.map((one) => ({
    ...{ packages: one.packages, way: one.way },
    ...{ node_count: one.nodes, step_count: one.steps, repair_count: one.repairs },
    ...{ package_count: one.packageCount, kernel_count: one.kernels, kernel_step_count: one.kernelSteps },
    ...{ flow_count: one.flows, seed_count: one.seeds, card_count: one.cards },
  })),
  stages: [...stages],
});

const MAX_TEMPLATES = 10;

export function authorityQuestion(
  { generation }: PlanState,
  { authority, templates, principals }: AuthorityQuestion,
): Omit<AuthorityQuestionRecord, 'answer'> {
  const record = objectRecord(generation, authority);
  return {
    authority: record,
    question: `Is the update of November 2024 (CVE-2024-49019) installed on ${shortName(record.name)}?`,
    templates: templates.slice(0, MAX_TEMPLATES).map((node) => objectRecord(generation, node)),
    template_count: templates.length,
    principal_count: principals,
  };
}

export function leftRecord(
  state: PlanState,
  plan: FirstPlan<CardDetails> | Plan<CardDetails>,
): StoredPlan['left'] {
  if (!('left' in plan) || plan.left === undefined) return null;
  const { generation, world } = state;
  return {
    holder_count: plan.left.holderCount,
    holders: plan.left.holders.map(({ holder, environment, principals, actions, effort, cut }) => {
      const records = (cut?.repairs ?? []).map((repair) => repairRecord(generation, world, repair));
      return {
        holder: objectRecord(generation, holder),
        environment_id: objectIdOf(generation.graph, world.environments[environment] as number),
        principal_count: principals,
        ...{ actions, effort },
        cut: cut === undefined ? null : { changes: records.map(({ title }) => title), cost: cut.cost },
        subject_ids: records.flatMap(({ object, principal }) =>
          [object, principal].flatMap((one) => one?.object_id ?? []),
        ),
      };
    }),
  };
}
