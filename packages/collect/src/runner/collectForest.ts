/** One run over several domains of a forest, each with its own controller. */
import { isRefused } from '../signIn/signIn.ts';
import { type CollectRequest, type CollectResult, collectDomain } from './collectDomain.ts';
import { type FindForestRequest, findForest, NO_CONTROLLER } from './findForest.ts';

export interface ForestRequest
  extends Omit<CollectRequest, 'label' | 'readsConfiguration' | 'otherDomain'>,
    Pick<FindForestRequest, 'controllersOf' | 'hostsOf'> {}

export interface ForestResult {
  /** The domain of `controllers` first. */
  readonly domains: readonly CollectResult[];
  /** Domains that were not read, and the reasons. */
  readonly unread: readonly { readonly domain: string; readonly reason: string }[];
}

/**
 * Files in one directory, each with the name of its domain. A domain whose controllers do not answer is skipped; after a refused sign-in,
 * no further domain is tried.
 *
 * @throws Error with the remedy if the first domain cannot be read
 */
export async function collectForest(request: ForestRequest): Promise<ForestResult> {
  const [first, ...others] = await findForest(request);
  const collect = (domain: string, parts: Partial<CollectRequest> | undefined): Promise<CollectResult> => {
    const onProgress = (text: string): void => request.onProgress?.(`${domain}: ${text}`);
    return collectDomain({ ...request, ...parts, onProgress });
  };
  const domains = [await collect(first.domain, first.parts)];
  const unread: { domain: string; reason: string }[] = [];
  let isOver = false;
  for (const { domain, parts } of others)
    if (isOver) unread.push({ domain, reason: 'not tried after a refused sign-in' });
    else if (parts === undefined) unread.push({ domain, reason: NO_CONTROLLER });
    else
      try {
        domains.push(await collect(domain, parts));
      } catch (error) {
        request.signal?.throwIfAborted();
        unread.push({ domain, reason: (error as Error).message });
        isOver = isRefused(error);
      }
  return { domains, unread };
}
