import type { CheckReport, Failure } from '@capstan/contracts';

/** How runtimes say that a name could not be resolved or a host not be reached: Node, Python, Go, Rust, curl and git. */
const noNetwork =
  /\b(EAI_AGAIN|ENOTFOUND|ENETUNREACH|EHOSTUNREACH)\b|name resolution|network is unreachable|could not resolve host|no such host|failed to lookup address/i;

/** Names of tests that failed for want of a network, which the sandbox does not have. */
export function testsThatNeedNetwork(reports: readonly CheckReport[]): string[] {
  return reports.flatMap(({ tests }) =>
    tests.filter(({ status, message }) => status === 'failed' && noNetwork.test(message ?? '')).map(({ id }) => id),
  );
}

/** The failure with what people have to know first: tests that need the network cannot pass in the sandbox. */
export function withNetworkNeed(failure: Failure, reports: readonly CheckReport[]): Failure {
  const names = testsThatNeedNetwork(reports);
  if (names.length === 0) return failure;
  const shown = names.slice(0, 3).join(', ');
  const more = names.length > 3 ? `, and ${names.length - 3} more` : '';
  const hint = `The sandbox has no network, and these tests asked for it: ${shown}${more}. Let them use a local stand-in.`;
  return { ...failure, hint };
}
