/** Makes elements. Text only ever becomes text, never markup. */

/**
 * @param {string} name
 * @param {Record<string, unknown>} properties
 * @param {...(Node | string)} children
 */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  Object.assign(made, properties);
  made.append(...children);
  return made;
}

/** @param {string} id */
export function byId(id) {
  return document.getElementById(id);
}
