// A model that calls a tool that it was never given, and then gives up.
export function next({ turn }) {
  if (turn === 0) return { text: '', calls: [{ name: 'http__request', arguments: { url: 'https://example.com/' } }] };
  return { text: 'This cannot be done with the tools at hand.' };
}
