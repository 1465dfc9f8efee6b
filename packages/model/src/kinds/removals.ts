/** Sentences, shared by several kinds of edges, that describe how to remove a relationship. */

export const ACCESS_LIST_ENTRY =
  'Remove the entry from the access control list of the target, or from the parent object that it is inherited from.';
export const TEMPLATE_ENROLLMENT =
  'Restrict enrollment in the template or at the CA, or unpublish the template. The composition of this relationship shows which.';
export const RELAY_PROTECTION =
  'Require signing and channel binding on the target, and disable the services that allow coercion of the computer.';
export const ROLE_ASSIGNMENT =
  'Remove the role assignment, and assign only what the work needs, at the narrowest scope. An eligible assignment leaves the path.';
export const APPLICATION_PERMISSION =
  'Remove the application permission from the service principal, or replace it with a narrower one.';
