/** Says aloud to screen readers what changed on the page. */

export function announce(text: string): void {
  const place = document.getElementById('announcements');
  if (place !== null) place.textContent = text;
}
