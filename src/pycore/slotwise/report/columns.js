// Reads the packed columns of slotwise.report.columns back into typed arrays.

async function inflate(elementId) {
  const text = document.getElementById(elementId).textContent;
  const bytes = Uint8Array.fromBase64
    ? Uint8Array.fromBase64(text)
    : Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Reads one column: `base` plus an unsigned number with its bytes in planes from `at`; differences
// are summed.
function readColumn(bytes, at, spec) {
  const n = spec.length;
  const top = spec.base + 256 ** spec.bytes;
  const small = !spec.delta && spec.base >= -(2 ** 31) && top <= 2 ** 31;
  const values = small ? new Int32Array(n) : new Float64Array(n);
  values.fill(spec.base);
  for (let plane = 0; plane < spec.bytes; plane++) {
    const unit = 256 ** plane;
    const from = at + plane * n;
    for (let i = 0; i < n; i++) values[i] += bytes[from + i] * unit;
  }
  if (spec.delta) for (let i = 1; i < n; i++) values[i] += values[i - 1];
  return values;
}

async function readColumns(elementId, specs) {
  const bytes = await inflate(elementId);
  const columns = {};
  let at = 0;
  for (const spec of specs) {
    columns[spec.name] = readColumn(bytes, at, spec);
    at += spec.length * spec.bytes;
  }
  return columns;
}
