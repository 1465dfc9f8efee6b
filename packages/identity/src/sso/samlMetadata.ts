/** Metadata of SAML providers: the entity id, the sign-in address, and the certificates. */
import { X509Certificate } from 'node:crypto';
import type { Element } from '@xmldom/xmldom';
import { elementsOf, NAMESPACE, parseSamlXml, SamlXmlError } from './samlXml.ts';

export interface SamlMetadata {
  readonly entityId: string;
  /** Receives requests by HTTP POST. */
  readonly postUrl: string;
  /** Receives requests by redirect, without an intermediate page. */
  readonly redirectUrl: string | undefined;
  /** PEM; several during a key change of the provider. */
  readonly certificates: readonly string[];
}

const POST_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
const REDIRECT_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const MAX_CERTIFICATES = 20;

/** @throws SamlXmlError with a description */
export function readMetadata(text: string): SamlMetadata {
  const document = parseSamlXml(text);
  const entities = elementsOf(document, NAMESPACE.metadata, 'EntityDescriptor').filter(
    (entity) => elementsOf(entity, NAMESPACE.metadata, 'IDPSSODescriptor').length > 0,
  );
  if (entities.length !== 1)
    throw new SamlXmlError(
      entities.length === 0 ? 'it describes no identity provider' : 'it describes several identity providers',
    );
  const [entity] = entities;
  const entityId = entity.getAttribute('entityID') ?? '';
  if (entityId === '') throw new SamlXmlError('its provider has no entityID');
  const [provider] = elementsOf(entity, NAMESPACE.metadata, 'IDPSSODescriptor');
  const serviceWith = (binding: string): string | undefined =>
    elementsOf(provider, NAMESPACE.metadata, 'SingleSignOnService')
      .filter((service) => service.getAttribute('Binding') === binding)
      .map((service) => service.getAttribute('Location') ?? '')
      .find(isWebAddress);
  const postUrl = serviceWith(POST_BINDING);
  if (postUrl === undefined)
    throw new SamlXmlError('metadata does not have a SSO service that supports HTTP POST binding');
  return {
    entityId,
    postUrl,
    redirectUrl: serviceWith(REDIRECT_BINDING),
    certificates: certificatesOf(provider),
  };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** @returns certificates for signing, and certificates without a declared use */
function certificatesOf(provider: Element): string[] {
  const certificates = elementsOf(provider, NAMESPACE.metadata, 'KeyDescriptor')
    .filter((key) => (key.getAttribute('use') || 'signing') === 'signing')
    .flatMap((key) => elementsOf(key, NAMESPACE.signature, 'X509Certificate'))
    .map((element) => pemOf(element.textContent ?? ''));
  if (certificates.length === 0) throw new SamlXmlError('it has no certificate for signing');
  if (certificates.length > MAX_CERTIFICATES) throw new SamlXmlError('it has too many certificates');
  return [...new Set(certificates)];
}

function pemOf(base64: string): string {
  try {
    return new X509Certificate(Buffer.from(base64.replaceAll(/\s/g, ''), 'base64')).toString();
  } catch {
    throw new SamlXmlError('one of its certificates cannot be read');
  }
}
