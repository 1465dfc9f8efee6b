/** A kit: the files of several changes, with their digests. The same changes produce the same bytes. */
import type { KitFacts } from '@clew/planning';
import { type BeforeChange, beforeChange } from './beforeChange.ts';
import { isScripted, wholeSteps } from './change.ts';
import { changeNotes, type FindingAdvice } from './changeNotes.ts';
import { changeScript, wholeScript } from './changeScript.ts';
import { ENGINES } from './engines/index.ts';
import { digestsOf } from './factDigests.ts';
import { planOfFinding, watchFinding } from './findingRemedies.ts';
import { digest, type KitFile, type KitRule, kitRules, ruleFiles, withSums } from './kitFiles.ts';
import type { KitInput, PlannedChange } from './plannedChange.ts';
import { planOf } from './planOf.ts';
import { readmeOf } from './readme.ts';
import { ASK_FIRST } from './scriptNotes.ts';
import { watchOf } from './watchRules.ts';

interface KitChange {
  readonly id: string;
  readonly title: string;
  /** One file including its engine; null for a change without a script. */
  readonly script: string | null;
  /** Why there is no script; null if there is one. */
  readonly why: string | null;
  readonly steps: readonly string[];
  /** Detection rules to use until the change is made. */
  readonly rules: readonly KitRule[];
  /** Uses of relationships that no rule detects, with the reasons. */
  readonly unwatched: readonly string[];
  readonly before: BeforeChange | null;
  /** Object that the administrator must choose when applying; null if none. */
  readonly asks: string | null;
}

export interface ChangeKit {
  readonly files: readonly KitFile[];
  readonly changes: readonly KitChange[];
}

/** The declared change: relationships and values as in a collection, and how it is made. */
export function declaredOf(planned: Pick<PlannedChange, 'facts' | 'id' | 'plan' | 'change' | 'check'>) {
  const { facts, id, plan } = planned;
  const ref = ({ objectId, kind }: KitFacts['object']) => ({ object_id: objectId, kind });
  return {
    id,
    repair: facts.id,
    kind: facts.kind,
    removed: facts.removed.map(({ source, relation, target }) => ({
      ...{ source: ref(source), relation, target: ref(target) },
    })),
    values: facts.values.map(({ object, property, now, wanted }) => ({
      object: ref(object),
      property,
      now,
      wanted,
    })),
    missing: Object.entries(facts.facts).flatMap(([fact, known]) =>
      'missing' in known ? [{ fact, reason: known.missing }] : [],
    ),
    digests: digestsOf(facts),
    ...(isScripted(plan)
      ? {
          engine: plan.engine,
          settings: plan.settings,
          can_be_undone: plan.undo !== null,
          asks: plan.asks ?? null,
        }
      : { engine: null, why: plan.why, steps: wholeSteps(planned) }),
  };
}

/** Questions come before the steps of people who have no readme. */
const questionSteps = ({ questions = [] }: PlannedChange): readonly string[] =>
  questions.map((question) => `${ASK_FIRST}: ${question}`);

interface KitExtras {
  /** A sentence about all changes, for the readme. */
  readonly note?: string | undefined;
  /** For changes that close a finding. */
  readonly advice?: FindingAdvice | undefined;
}

/** @param inputs in the order in which to make the changes */
export function changeKit(inputs: readonly KitInput[], { note, advice }: KitExtras = {}): ChangeKit {
  const width = Math.max(2, String(inputs.length).length);
  const changes = inputs.map(
    (input, at): PlannedChange => ({
      ...input,
      id: `change-${String(at + 1).padStart(width, '0')}`,
      ...(input.remedy === undefined
        ? {
            ...{ plan: planOf(input.facts), watch: watchOf(input.facts) },
            before: beforeChange(input.facts),
          }
        : {
            ...{ plan: planOfFinding(input.remedy), watch: watchFinding(input.remedy) },
            before: undefined,
          }),
    }),
  );
  const declared = changes.map(declaredOf);
  const scripts = changes.map((change, at) =>
    isScripted(change.plan)
      ? {
          ...{ id: change.id, title: change.title, plan: change.plan, notes: changeNotes(change, advice) },
          key: digest(JSON.stringify(declared[at])),
          ...{ facts: digestsOf(change.facts), questions: change.questions },
          names: { object: change.facts.object.name, principal: change.facts.principal?.name ?? '' },
        }
      : undefined,
  );
  const engines = [...new Set(scripts.flatMap((one) => (one === undefined ? [] : [one.plan.engine])))].sort();
  const files: KitFile[] = [
    { name: 'README.md', text: readmeOf(changes, note, advice) },
    { name: 'changes.json', text: `${JSON.stringify(declared, null, 2)}\n` },
    ...scripts.flatMap((one) =>
      one === undefined ? [] : [{ name: `${one.id}.ps1`, text: changeScript(one) }],
    ),
    ...changes.flatMap(({ id, watch }) => ruleFiles(id, watch)),
    ...engines.map((name) => ({ name: `engines/${name}.ps1`, text: ENGINES[name] })),
  ];
  return {
    files: withSums(files),
    changes: changes.map((planned, at) => {
      const { id, title, plan, watch, before } = planned;
      const one = scripts[at];
      return {
        ...{ id, title, script: one === undefined ? null : wholeScript(one) },
        why: isScripted(plan) ? null : plan.why,
        steps: [...questionSteps(planned), ...wholeSteps(planned)],
        rules: kitRules(watch),
        ...{ unwatched: watch.unwatched, before: before ?? null },
        asks: isScripted(plan) ? (plan.asks ?? null) : null,
      };
    }),
  };
}
