export function Welcome() {
  return <p>x</p>;
}
