/** Control of analysis: requests, and enabled features. */

import {
  type AnyInput,
  apiError,
  type Handlers,
  type RequestContext,
  recordSuccess,
  requireUser,
} from '@clew/common';
import type { Db } from '@clew/store';
import { isFixedFeature, listFeatures, toggleFeature } from './features.ts';
import { requestAnalysis, waitingRequest, withdrawRequest } from './requests.ts';

type Operations =
  | 'ListFeatureFlags'
  | 'ToggleFeatureFlag'
  | 'GetAnalysisRequest'
  | 'StartAnalysis'
  | 'StartAnalysisBhe'
  | 'CancelAnalysisRequest';

export function analysisHandlers(db: Db): Handlers<Operations> {
  const record = (context: RequestContext, action: string) => recordSuccess(db, context, action, {});
  const ask = async (_input: AnyInput, context: RequestContext) => {
    await requestAnalysis(db, requireUser(context.principal).userId);
    await record(context, 'RequestAnalysis');
    return { status: 202 as const };
  };
  return {
    ListFeatureFlags: async () => ({ status: 200, json: { data: await listFeatures(db) } }),
    ToggleFeatureFlag: async ({ params }, context) => {
      const id = /^\d{1,9}$/.test(params.feature_id) ? Number(params.feature_id) : undefined;
      if (id === undefined) throw apiError('malformedId');
      if (isFixedFeature(id)) throw apiError('forbidden');
      const enabled = await toggleFeature(db, id);
      if (enabled === undefined) throw apiError('resourceNotFound');
      await recordSuccess(db, context, 'ToggleEarlyAccessFeature', { feature_id: id, enabled });
      return { status: 200, json: { data: { enabled } } };
    },
    GetAnalysisRequest: async () => ({ status: 200, json: { data: await waitingRequest(db) } }),
    StartAnalysis: ask,
    StartAnalysisBhe: ask,
    CancelAnalysisRequest: async (_input, context) => {
      await withdrawRequest(db);
      await record(context, 'CancelAnalysisRequest');
      return { status: 202 };
    },
  };
}
