/** Tools about paths and the plan: how principals gain control, what to repair, and the effect of a change. */
import type { AlternativesRecord, CardRecord, PlanRecord, RemainingPathsRecord } from '@clew/api';
import type { ClewClient } from '@clew/client';
import { ANALYZED_MEANWHILE, type PhraseOf, phrasesOf, whatIf } from '@clew/connector';
import { hiddenFall } from '@clew/model';
import Type from 'typebox';
import { MAX_ANSWER } from './boundedAnswer.ts';
import { framed } from './frame.ts';
import { edgeKind, objectOf } from './names.ts';
import { fittingRows } from './rows.ts';
import {
  type Answer,
  checkNext,
  HasMore,
  LeftOut,
  List,
  limit,
  limitOrNone,
  Next,
  next,
  object,
  readSince,
  since,
  type Tool,
  ToolError,
  text,
  tool,
} from './tool.ts';

const WAIT_SECONDS = 60;
/** The service returns at most this many cards. */
const MAX_CARDS = 50;
/** The service returns at most one more. */
const MAX_PATHS = 24;
const MAX_CHOKE_POINTS = 50;

type Path = Pick<AlternativesRecord['paths'][number], 'nodes' | 'relations'> & { readonly effort?: number };

/** Each step in words, with its kind. */
async function pathAnswers(client: ClewClient, paths: readonly Path[], signal: AbortSignal) {
  const kinds = paths.flatMap(({ relations }) => relations);
  const phraseOf = await phrasesOf(client, kinds, signal);
  return paths.map((path) => pathAnswer(path, phraseOf));
}

const MAX_REMAINING = 3;

/** The easiest paths after a change, each with the repairs that close it. */
async function remainingPaths(client: ClewClient, data: RemainingPathsRecord, signal: AbortSignal) {
  const paths = data.paths.map(({ nodes, steps, effort }) => ({
    ...{ nodes, effort, relations: steps.map(({ kind }) => kind) },
  }));
  const answers = (await pathAnswers(client, paths, signal)).map((path, at) => {
    const { principal_count, closed_by, not_closed } = data.paths[at]!;
    const closedBy = closed_by && {
      ...{ step: closed_by.step, cost: closed_by.cost },
      changes: closed_by.repairs.map(({ title }) => title),
    };
    return { ...path, principal_count, closed_by: closedBy, not_closed: not_closed?.text ?? null };
  });
  const { is_complete, end } = data;
  return { paths: answers, is_complete, end: end.text };
}

function pathAnswer({ nodes, relations, effort }: Path, phraseOf: PhraseOf) {
  const steps = relations.map((kind, at) => ({
    kind,
    phrase: phraseOf(kind),
    text: `${nodes[at]?.name} ${phraseOf(kind)} ${nodes[at + 1]?.name}`,
  }));
  return { hops: relations.length, effort, nodes, steps };
}

const ends = {
  from: text('Name or object id of the start'),
  to: text('Name or object id of the end'),
};

async function askPaths(
  client: ClewClient,
  given: { readonly from: string; readonly to: string },
  options: { readonly limit: number; readonly disjoint?: boolean; readonly weight?: 'length' | 'effort' },
  signal: AbortSignal,
) {
  const from = await objectOf(client, 'from', given.from, signal);
  const to = await objectOf(client, 'to', given.to, signal);
  if (from.objectid === to.objectid) throw new ToolError('to: it is the same object as from');
  const query = { start_node: from.objectid, end_node: to.objectid, ...options };
  return (await client.call('GetAlternativePaths', { query }, { signal, wait: WAIT_SECONDS })).data;
}

/** Omits lists that a model would only count, but names the types of findings that open. */
function shortCard({ closed: _, opened, packages, ...card }: CardRecord) {
  return {
    ...card,
    opened_types: [...new Set(opened.map(({ title }) => title))],
    packages: packages.map(
      ({
        key,
        title,
        fix,
        check,
        risk,
        cost,
        change_count,
        affected_count,
        why,
        uses,
        not_this,
        questions,
      }) => ({
        ...{ key, title, fix, check, risk, cost, change_count, affected_count, why },
        ...(uses !== null && uses.text !== '' && { uses: uses.text }),
        not_this: not_this.map(({ text }) => text),
        questions: questions.map(
          ({ question, unneeded, needed }) => `${question} ${unneeded.text} ${needed.text}`,
        ),
      }),
    ),
  };
}

/** Constraints with their subject, without their changes. */
const shortExcluded = ({ constraints, ...outcomes }: PlanRecord['excluded']) => ({
  ...outcomes,
  constraints: constraints.map(({ id, subject, title, reason }) => ({ id, subject, title, reason })),
});

/** @returns the overview of the plan with cards from a position, and without cards if the plan has none there */
export async function planPage(
  client: ClewClient,
  { most, skip }: { readonly most: number; readonly skip: number },
  signal: AbortSignal,
  size?: number,
): Promise<Answer & { readonly card_count: number }> {
  const limit = Math.min(Math.max(skip + most, 1), MAX_CARDS);
  const plan = await client.plan({ limit }, { signal, wait: WAIT_SECONDS });
  const { before, effort, cards, card_count, decisions, end, not_read, excluded, computing } = plan;
  const { not_shown } = plan;
  const asked = decisions.map(({ text, cost, meets_goal }) => ({ text, cost, meets_goal }));
  const frame = {
    ...{ before: before.toSorted((a, b) => b.exposed_count - a.exposed_count), effort, card_count },
    ...{ not_shown, decisions: asked, end, not_read, excluded: shortExcluded(excluded), computing },
  };
  const rows = cards.slice(skip, skip + most).map((card, at) => {
    const hidden = hiddenFall(plan, skip + at);
    return { ...(hidden !== undefined && { before_it: hidden }), ...shortCard(card) };
  });
  const others = most === 0 ? 'use a higher limit' : 'use `next` for more';
  const page = { name: 'cards', rows, skip, count: card_count, most: MAX_CARDS, others };
  return { ...framed(frame, page, size), card_count };
}

export const PLAN_TOOLS: readonly Tool[] = [
  tool({
    name: 'find_path',
    title: 'Find the shortest attack path',
    description:
      'How one object can get control of another: a shortest chain of objects (with IDs) and relationships (with a phrase for each), or the answer that none exists.',
    input: object(ends),
    output: { exists: Type.Boolean(), path: Type.Unknown(), hint: Type.Optional(Type.String()) },
    async run(client, given, signal) {
      const { paths } = await askPaths(client, given, { limit: 1 }, signal);
      const [path] = await pathAnswers(client, paths, signal);
      if (path !== undefined) return { exists: true, path };
      return { exists: false, path: null, hint: 'explain_no_path returns the nearest alternative' };
    },
  }),
  tool({
    name: 'list_alternative_paths',
    title: 'Several attack paths',
    description:
      'Several attack paths between two objects, shortest first, or with the lowest attack effort first; with disjoint, no two paths share a relationship.',
    input: object({
      ...ends,
      limit: limit(MAX_PATHS, 3),
      disjoint: Type.Optional(Type.Boolean()),
      weight: Type.Optional(Type.Union([Type.Literal('length'), Type.Literal('effort')])),
    }),
    output: { exists: Type.Boolean(), paths: List, has_more: HasMore },
    async run(client, { from, to, limit: most = 3, ...options }, signal) {
      const { paths } = await askPaths(client, { from, to }, { limit: most + 1, ...options }, signal);
      const { shown, isCut } = fittingRows(
        await pathAnswers(client, paths.slice(0, most), signal),
        MAX_ANSWER,
      );
      return {
        ...{ exists: paths.length > 0, paths: shown, has_more: paths.length > shown.length },
        ...(isCut && { truncated: true }),
      };
    },
  }),
  tool({
    name: 'who_can_reach',
    title: 'Who can reach an object',
    description:
      'How many users and computers outside the zone of an object can reach it, by environment, and the easiest path of one with its attack effort. `others` are users and computers of other forests, tenants and platforms that can reach it, too; they are not part of the counts.',
    input: object({ object: text('Name or object id') }),
    output: {
      ...{ object: Type.Unknown(), zone: Type.Unknown(), environments: List },
      reaching_count: Type.Union([Type.Integer(), Type.Null()]),
      principal_count: Type.Union([Type.Integer(), Type.Null()]),
      ...{ easiest_path: Type.Unknown(), not_shown: Type.Union([Type.String(), Type.Null()]) },
      others: Type.Union([List, Type.Null()]),
      others_not_shown: Type.Union([Type.String(), Type.Null()]),
    },
    async run(client, { object: name }, signal) {
      const { objectid } = await objectOf(client, 'object', name, signal);
      const query = { object_id: objectid, include_path: true };
      const { data } = await client.call('GetReach', { query }, { signal, wait: WAIT_SECONDS });
      const { easiest_path: path, generation: _, ...counts } = data;
      if (path === null) return { ...counts, easiest_path: null };
      const relations = path.steps.map(({ kind }) => kind);
      const [easiest] = await pathAnswers(client, [{ ...path, relations }], signal);
      return { ...counts, easiest_path: easiest };
    },
  }),
  tool({
    name: 'explain_no_path',
    title: 'Why no path exists',
    description:
      'Where no attack path exists: how many objects the start can reach, how many can reach the end, and the nearest link between both over relationships of any kind.',
    input: object(ends),
    output: { exists: Type.Boolean(), reason: Type.Unknown() },
    async run(client, given, signal) {
      const { paths, no_path } = await askPaths(client, given, { limit: 1 }, signal);
      return { exists: paths.length > 0, reason: no_path };
    },
  }),
  tool({
    name: 'get_plan',
    title: 'What to repair first',
    description:
      'The plan of Tier Zero: cards of changes that help together, in order. Each card has the exposure before and after, the change, its verification and risk, its cost with the reason, alternatives and why they are not chosen, open questions, and the attack path that it cuts. If the goal is not met, decisions list changes that would lead further toward it. The overview without cards is short; limit 0 returns only the overview.',
    input: object({ limit: limitOrNone(20, 3), next }),
    output: {
      ...{ cards: List, card_count: Type.Integer(), next: Next, decisions: List, not_shown: List },
      left_out: LeftOut,
    },
    async run(client, { limit: most = 3, next: skip = 0 }, signal, size) {
      const page = await planPage(client, { most, skip }, signal, size);
      checkNext(skip, Math.min(page.card_count, MAX_CARDS));
      return page;
    },
  }),
  tool({
    name: 'list_choke_points',
    title: 'Choke points',
    description: 'Objects and relationships on every attack path of most users and computers into Tier Zero.',
    input: object({ limit: limit(MAX_CHOKE_POINTS, 10) }),
    output: {
      ...{ exposed_count: Type.Union([Type.Integer(), Type.Null()]), not_shown: List },
      ...{ objects: List, relationships: List, has_more: HasMore },
    },
    async run(client, { limit: most = 10 }, signal) {
      const { data } = await client.call(
        'GetChokePoints',
        { query: { limit: most + 1 } },
        { signal, wait: WAIT_SECONDS },
      );
      const relations = data.relations.slice(0, most);
      const phraseOf = await phrasesOf(
        client,
        relations.flatMap(({ kinds }) => kinds),
        signal,
      );
      const relationships = relations.map(({ kinds, ...others }) => ({
        ...others,
        kinds,
        phrases: kinds.map(phraseOf),
      }));
      const { exposed_count: exposed, not_shown } = data;
      const objects = data.objects.slice(0, most);
      const has_more = data.objects.length > most || data.relations.length > most;
      // A count that is left out would be read as a count of nothing.
      const count = exposed === 0 && not_shown.length > 0 ? null : exposed;
      return { exposed_count: count, not_shown, objects, relationships, has_more };
    },
  }),
  tool({
    name: 'what_if',
    title: 'Effect of a change',
    description:
      'Exposure, findings and remaining attack paths after a simulated change; nothing is stored or changed. Give the first cards of the plan, relationships to remove, principals to disable, or several of these.',
    input: object({
      cards: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 20,
          description: 'Simulate the changes of this many first cards of the plan',
        }),
      ),
      remove: Type.Optional(
        Type.Array(object({ ...ends, kind: text('Kind of the relationship, such as MemberOf') }), {
          maxItems: 20,
        }),
      ),
      disable: Type.Optional(Type.Array(text('Name or object id of a principal'), { maxItems: 20 })),
    }),
    output: { before: List, after: List, closed_count: Type.Integer(), opened_count: Type.Integer() },
    async run(client, { cards, remove = [], disable = [] }, signal) {
      if (cards === undefined && remove.length === 0 && disable.length === 0)
        throw new ToolError('give at least one of cards, remove or disable');
      const plan =
        cards === undefined ? undefined : await client.plan({ limit: cards }, { signal, wait: WAIT_SECONDS });
      const relations = [];
      for (const [at, { from, to, kind }] of remove.entries())
        relations.push({
          source_id: (await objectOf(client, `remove.${at}.from`, from, signal)).objectid,
          target_id: (await objectOf(client, `remove.${at}.to`, to, signal)).objectid,
          kind: await edgeKind(client, `remove.${at}.kind`, kind, signal),
        });
      const ids: string[] = [];
      for (const [at, name] of disable.entries())
        ids.push((await objectOf(client, `disable.${at}`, name, signal)).objectid);
      const body = {
        repairs:
          plan?.cards.flatMap(({ packages }) => packages.flatMap(({ references }) => references)) ?? [],
        remove: relations,
        disable: ids,
      };
      const found = await whatIf(client, body, MAX_REMAINING, { signal, wait: WAIT_SECONDS });
      if (found === undefined) throw new ToolError(ANALYZED_MEANWHILE);
      const { before, after, closed_count, opened_count, remaining_path, not_shown, not_computed } =
        found.simulation;
      const [left = null] = await pathAnswers(
        client,
        remaining_path === null ? [] : [remaining_path],
        signal,
      );
      return {
        ...{ before, after, closed_count, opened_count, remaining_path: left, not_shown, not_computed },
        remaining_paths: await remainingPaths(client, found.remaining, signal),
        ...(plan && { cards: plan.cards.length, card_count: plan.card_count }),
      };
    },
  }),
  tool({
    name: 'get_differences',
    title: 'What changed in the directory',
    description:
      'What changed between the analysis at a time and the latest one: objects, relationships, settings, findings, exposure, and the relationships that changed exposure.',
    input: object({ since: since(), limit: limit(50, 10) }),
    output: { from: Type.Unknown(), to: Type.Unknown(), exposure: List, moved_by: List },
    async run(client, { since: given, limit: most = 10 }, signal) {
      const query = { since: readSince('since', given), limit: most };
      return (await client.call('GetDifference', { query }, { signal, wait: WAIT_SECONDS })).data;
    },
  }),
];
