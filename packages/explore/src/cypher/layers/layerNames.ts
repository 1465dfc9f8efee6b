/** Names of layers in requests (`Prefer: layer=NAME`, and over Bolt `layer.NAME`), and their users. */
import { apiError, type Principal, requireUser } from '@clew/common';

const NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}$/;
export const LAYER_RULE = 'the name of a layer has 1 to 64 letters, digits, or characters of . _ -';

/** @returns `undefined` without a layer @throws ApiError 400 for a name that no layer has */
export function layerOf(prefer: string | readonly string[] | undefined): string | undefined {
  for (const part of [prefer ?? ''].flat().join(',').split(',')) {
    const [key, ...rest] = part.split('=');
    if (key.trim().toLowerCase() !== 'layer') continue;
    const name = rest.join('=').trim();
    if (!NAME.test(name)) throw apiError('malformedPreferHeader', { reason: LAYER_RULE });
    return name;
  }
  return undefined;
}

/** @returns the id of the user whose layers a request may use @throws ApiError 403 */
export function layerOwner(principal: Principal): string {
  const { userId, viewedBy } = requireUser(principal);
  if (viewedBy !== undefined) throw apiError('viewAsLayer');
  return userId;
}

export const isLayerName = (name: string): boolean => NAME.test(name);
