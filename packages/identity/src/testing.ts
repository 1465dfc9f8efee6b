/** Helpers that tests of other packages share with those of this one. */

export { systemClock } from './clock.ts';
export { OIDC_BROWSERS, OIDC_DISCOVERIES } from './sso/testing/attacks/oidcBrowsers.ts';
export { OIDC_ANSWERS, OIDC_CLAIMS, OIDC_SIGNATURES } from './sso/testing/attacks/oidcTokens.ts';
export { SAML_ASSERTIONS } from './sso/testing/attacks/samlAssertions.ts';
export { PUBLIC, type SamlSide } from './sso/testing/attacks/samlAttack.ts';
export { SAML_DOCUMENTS } from './sso/testing/attacks/samlDocuments.ts';
export { SAML_REQUESTS } from './sso/testing/attacks/samlRequests.ts';
export { SAML_SIGNATURES } from './sso/testing/attacks/samlSignatures.ts';
export { SAML_WRAPPING } from './sso/testing/attacks/samlWrapping.ts';
export { Browser, formOf, type Page } from './sso/testing/browser.ts';
export { type HostileOidc, startHostileOidc, tokensWith } from './sso/testing/hostileOidc.ts';
export { type OidcPeer, startOidcPeer } from './sso/testing/oidcPeer.ts';
export { type AnswerOptions, makeSamlPeer, type SamlPeer, type SamlUser } from './sso/testing/samlPeer.ts';
export { addUser, callHandler, jsonOf, openTestIdentity } from './testing/testIdentity.ts';
