/** Keys of pages: single letters do nothing while someone types, in a dialog, or with a modifier. */

export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  if (document.querySelector('dialog[open]') !== null) return true;
  return (
    event.target instanceof Element &&
    event.target.closest('input, textarea, select, [contenteditable], .editor') !== null
  );
}
