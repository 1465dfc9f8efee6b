/** The computation of a plan, for users who doubt a card, and for developers. */
import Type, { type Static } from 'typebox';
import { Count } from './common.ts';

export const PlanExceptionRecord = Type.Object({
  kind: Type.Enum(['long-memberships', 'many-coerced', 'many-combine', 'many-matches']),
  object_count: Type.Integer({
    minimum: 1,
    description:
      'Number of objects whose relationships are treated as permanent, so that the exposure is overestimated',
  }),
  text: Type.String(),
});
export type PlanExceptionRecord = Static<typeof PlanExceptionRecord>;

const SearchRunRecord = Type.Object({
  packages: Type.Enum(['wide', 'previous', 'near', 'all'], {
    description:
      'The packages among which it chose: those with a wide effect, those of the previous plan, those near the objects that most paths come through, or all',
  }),
  way: Type.Enum(['whole', 'cuts', 'evaluated'], {
    description:
      '`whole`: the kernel of all was searched; `cuts`: cuts of the kernel named the packages that were searched; `evaluated`: the cards of the previous plan, with their effect now',
  }),
  node_count: Type.Integer({ minimum: 0, description: 'Number in the graph of the plan' }),
  step_count: Count,
  repair_count: Count,
  package_count: Count,
  kernel_count: Type.Integer({ minimum: 0, description: 'Number of kernels that were computed' }),
  kernel_step_count: Type.Integer({ minimum: 0, description: 'Number of steps of the largest one' }),
  flow_count: Type.Integer({ minimum: 0, description: 'Number of maximum flows that were computed on them' }),
  seed_count: Type.Integer({
    minimum: 0,
    description: 'Number of work packages of the previous plan that the search began with',
  }),
  card_count: Count,
});

export const PlanExplanationRecord = Type.Object({
  searches: Type.Array(SearchRunRecord, { description: 'In the order in which they ran' }),
  stages: Type.Array(
    Type.Object({
      stage: Type.Enum([
        'wide',
        'previous',
        'near',
        'graph',
        'search',
        'simulation',
        'bounds',
        'decisions',
        'left',
      ]),
      seconds: Type.Number({ minimum: 0, description: 'Processor time' }),
    }),
    { description: 'Stages that did not run are absent' },
  ),
});
export type PlanExplanationRecord = Static<typeof PlanExplanationRecord>;
