/** The domain (the forest root) to which a public key services object applies. */
import { EdgeFlag, type EdgeKindName } from '@clew/model';
import type { DirectoryObject } from './directoryObject.ts';
import { edge } from './edges.ts';
import { domainOf } from './hostNames.ts';
import { Method } from './methods.ts';
import { isSid } from './sid.ts';

/** If the collector wrote a word because it could not resolve the SID, the domain of the object's name is used. */
export function readPkiDomain(object: DirectoryObject, kind: EdgeKindName): void {
  object.addAspect('pki-domain', object.enumerates('DomainSID', Method.CertServices), () => {
    const domain = { id: object.id('DomainSID'), kind: 'Domain' };
    if (domain.id === '') return { edges: [] };
    if (isSid(domain.id)) return { edges: [edge(object.self, kind, domain)] };
    const name = domainOf(object);
    if (name === '') {
      object.problems.note(
        'the domain of the object is unknown: "DomainSID" is not a SID, and no property specifies it',
      );
      return { edges: [] };
    }
    object.problems.note('"DomainSID" is not a SID; the domain is determined by its name');
    const end = { matchers: [{ key: 'name', value: name }], kind: 'Domain' };
    const found = { start: object.self.id, startKind: object.self.kind, kind, end, endKind: 'Domain' };
    return { edges: [], matchedEdges: [{ ...found, flags: EdgeFlag.HasAcl, createMissing: false }] };
  });
}
