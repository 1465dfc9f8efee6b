export default function DataPage() {
  return <p>DataPage</p>;
}
