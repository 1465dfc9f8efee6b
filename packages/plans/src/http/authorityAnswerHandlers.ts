/**
 * Answers about certification authorities over HTTP. They affect the analysis for all users, so only users who may see everything can give
 * them, and each answer triggers an analysis.
 */
import { AUTHORITY_ANSWER_COLUMNS, type AuthorityQuestionRecord } from '@clew/api';
import { apiError, type Handlers, recordPage, recordSuccess, requireWholeView } from '@clew/common';
import { answersOf, type KeptAnswer, keepAnswer, withdrawAnswer } from '@clew/explore';
import type { GenerationSource } from '@clew/generation';
import { findNamedNode, hasKind, NO_NODE, namedObjectId, nameOf, objectIdOf } from '@clew/graph';
import { NodeKind } from '@clew/model';
import type { Db } from '@clew/store';

type Operations = 'ListAuthorityAnswers' | 'AnswerAuthorityQuestion' | 'WithdrawAuthorityAnswer';

export function authorityAnswerHandlers(db: Db, generations: GenerationSource): Handlers<Operations> {
  return {
    async ListAuthorityAnswers(input, context) {
      requireWholeView(context);
      return { status: 200, json: recordPage(await answersOf(db), AUTHORITY_ANSWER_COLUMNS, input) };
    },

    async AnswerAuthorityQuestion({ params, body: { is_updated } }, context) {
      const { name: answered_by } = requireWholeView(context);
      const { graph } = generations.current();
      const node = findNamedNode(graph, params.authority_id);
      if (node === NO_NODE || !hasKind(graph, node, NodeKind.EnterpriseCA))
        throw apiError('resourceNotFound');
      const authority_id = objectIdOf(graph, node);
      const name = nameOf(graph, node) || authority_id;
      const data = await db.transaction().execute(async (transaction) => {
        const kept = await keepAnswer(transaction, { authority_id, name, is_updated, answered_by });
        await recordSuccess(transaction, context, 'AnswerAuthorityQuestion', {
          authority_id,
          name,
          is_updated,
        });
        return kept;
      });
      return { status: 200, json: { data } };
    },

    async WithdrawAuthorityAnswer({ params }, context) {
      requireWholeView(context);
      const id = namedObjectId(generations.current().graph, params.authority_id);
      await db.transaction().execute(async (transaction) => {
        const gone = await withdrawAnswer(transaction, id);
        if (gone === undefined) throw apiError('resourceNotFound');
        const { authority_id, name, is_updated } = gone;
        await recordSuccess(transaction, context, 'WithdrawAuthorityAnswer', {
          authority_id,
          name,
          is_updated,
        });
      });
      return { status: 204 };
    },
  };
}

/** The questions of a plan, with their current answers. */
export function withAnswers(
  questions: readonly Omit<AuthorityQuestionRecord, 'answer'>[],
  answers: readonly KeptAnswer[],
): AuthorityQuestionRecord[] {
  const known = new Map(answers.map((answer) => [answer.authority_id, answer]));
  return questions.map((question) => ({
    ...question,
    answer: known.get(question.authority.object_id) ?? null,
  }));
}
