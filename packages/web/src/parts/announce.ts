/** Announces changes on the page to screen readers. */

export function announce(text: string): void {
  const place = document.getElementById('announcements');
  if (place !== null) place.textContent = text;
}
