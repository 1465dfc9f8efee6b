/** Sentences, shared by several kinds of edges, that describe how to remove a relationship. */

export const ACCESS_LIST_ENTRY =
  'Remove the entry from the access list of the target, or where it is inherited from, on the object that hands it down.';
export const TEMPLATE_ENROLLMENT =
  'Narrow who may enroll in the template or at the CA, or take the template from the CA. The composition of this relationship shows which.';
export const RELAY_PROTECTION =
  'Ask for signing and channel binding at the target, and remove the services that let others make the computer authenticate.';
export const ROLE_ASSIGNMENT =
  'Remove the role assignment, or make it eligible with approval, at the narrowest scope that the work needs.';
export const APPLICATION_PERMISSION =
  'Remove the application permission from the service principal, or replace it by a narrower one.';
