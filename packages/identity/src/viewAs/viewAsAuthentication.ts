/**
 * Requests with the header `Clew-View-As`: their sender is authenticated as always, and they are answered as the user of the view. The
 * pipeline refuses every operation that changes something.
 */
import {
  type ApiError,
  type Authentication,
  type Authenticator,
  apiError,
  type BodyVerifier,
} from '@clew/common';
import type { ViewsAs } from './viewsAs.ts';

const HEADER = 'clew-view-as';

export function withViewsAs(inner: Authenticator, views: Pick<ViewsAs, 'principalOf'>): Authenticator {
  return {
    async begin(request) {
      const sender = await inner.begin(request);
      const view = request.headers[HEADER];
      return view === undefined || 'refusal' in sender ? sender : viewed(sender, view.trim(), views);
    },
  };
}

async function viewed(
  { principal, body }: Exclude<Authentication, { readonly refusal: unknown }>,
  view: string,
  views: Pick<ViewsAs, 'principalOf'>,
): Promise<Authentication> {
  if (principal.kind === 'anonymous') return { refusal: apiError('notAuthenticated') };
  const seen =
    principal.kind === 'client' ? apiError('viewAsEnded') : await views.principalOf(view, principal);
  if ('kind' in seen) return { principal: seen, ...(body && { body }) };
  if (body === undefined) return { refusal: seen };
  // The answer must not reveal whether the id of a token exists before the signature is verified.
  return { principal: { ...principal, permissions: new Set() }, body: refusedAfter(body, seen) };
}

const refusedAfter = (body: BodyVerifier, refusal: ApiError): BodyVerifier => ({
  update: (chunk) => body.update(chunk),
  finish: async () => (await body.finish()) ?? refusal,
});
