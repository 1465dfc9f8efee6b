export default function PosturePage() {
  return <p>PosturePage</p>;
}
