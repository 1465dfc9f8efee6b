export default function WhatIfPage() {
  return <p>WhatIfPage</p>;
}
