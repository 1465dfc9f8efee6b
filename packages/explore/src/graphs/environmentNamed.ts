import type { Environment, Generation } from '@clew/generation';
import { namedObjectId } from '@clew/graph';

/** @param objectId in any case, unless an object has exactly this id */
export function environmentNamed(generation: Generation, objectId: string): Environment | undefined {
  const id = namedObjectId(generation.graph, objectId);
  return generation.environments.find((environment) => environment.id === id);
}
