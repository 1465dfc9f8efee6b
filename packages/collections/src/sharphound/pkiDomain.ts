/** The domain (that of the forest root) for which an object of the public key services counts. */
import type { EdgeKindName } from '@clew/model';
import type { DirectoryObject } from './directoryObject.ts';
import { edge } from './edges.ts';
import { Method } from './methods.ts';
import { isSid } from './sid.ts';

export function readPkiDomain(object: DirectoryObject, kind: EdgeKindName): void {
  object.addAspect('pki-domain', object.enumerates('DomainSID', Method.CertServices), () => {
    const domain = { id: object.id('DomainSID'), kind: 'Domain' };
    return { edges: !isSid(domain.id) ? [] : [edge(object.self, kind, domain)] };
  });
}
