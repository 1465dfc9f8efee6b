/** Errors of the service as sentences for a model: what failed, and what the model or its user can do. */
import { ApiError, PlanNotReadyError } from '@clew/client';
import { messageOf } from '@clew/connector';
import { ToolError } from './tool.ts';

const REMEDIES: Readonly<Record<number, string>> = {
  401: 'The credentials are not accepted: the user has to sign in again (clew login) or use another API token.',
  403: 'These credentials do not have the permission: request something else, or use another account.',
  404: 'It may be deleted, or not visible to these credentials.',
  429: 'Too many requests were made: wait a minute.',
  503: 'The service is busy or starting: wait, then try again.',
};

/** @returns the sentence @throws all errors except answers of the service and input faults: such an error is a defect */
export function faultText(error: unknown): string {
  if (error instanceof ToolError) return error.message;
  if (error instanceof PlanNotReadyError)
    return `${error.message}. Findings and paths can be requested in the meantime.`;
  const text = messageOf(error);
  const remedy = error instanceof ApiError ? REMEDIES[error.status] : undefined;
  return remedy === undefined ? text : `${text}. ${remedy}`;
}
