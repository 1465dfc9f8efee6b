/** Features of browsers that the library of types does not have yet. */
interface TrustedTypePolicy {
  createScriptURL(address: string): unknown;
}

declare var trustedTypes:
  | { createPolicy(name: string, rules: { createScriptURL(address: string): string }): TrustedTypePolicy }
  | undefined;

/** A style sheet as text, for files. */
declare module '*.css?inline' {
  const text: string;
  export default text;
}
