/** Browser features that the type library does not have yet. */
interface TrustedTypePolicy {
  createScriptURL(address: string): unknown;
}

declare var trustedTypes:
  | { createPolicy(name: string, rules: { createScriptURL(address: string): string }): TrustedTypePolicy }
  | undefined;

/** A style sheet as text, for exported files. */
declare module '*.css?inline' {
  const text: string;
  export default text;
}
