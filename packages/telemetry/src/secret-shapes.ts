/**
 * Shapes of well-known credentials. Where a pattern has a group, only the group is secret. Every secret part has at
 * least six characters and no shape matches the mark alone: redaction would not come to an end otherwise.
 */
export const secretShapes: readonly RegExp[] = [
  /(?<![A-Za-z0-9])sk-(?=[A-Za-z_-]{0,80}\d)[A-Za-z0-9_-]{16,}/dg,
  /(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{20,}/dg,
  /(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{20,}/dg,
  /(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{16,}/dg,
  /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{30,}/dg,
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/dg,
  /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}/dg,
  /(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,}/dg,
  /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{4,8000}\.[A-Za-z0-9_-]*/dg,
  // The body may stand in a diff (a sign before each line) or in JSON (\n for a line break), and may be cut off.
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----(?:(?:\s|\\[nr]|[+\- ])*(?:Proc-Type|DEK-Info):[^\n\\]{0,100})*(?:(?:\s|\\[nr]|[+\- ])*[A-Za-z0-9+/=]{16,})*(?:(?:\s|\\[nr]|[+\- ])*[A-Za-z0-9+/=]{1,15}(?=\s|\\|-----|$))?(?:(?:\s|\\[nr]|[+\- ])*-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----)?/dg,
  /\bauthorization[\s"'\\:=]{1,10}(?:bearer|basic|token)\s{1,4}([^\s"'\\,;]{6,})/dgi,
  /\bbearer\s{1,4}((?=[A-Za-z._~+/=-]{0,80}\d)[A-Za-z0-9._~+/=-]{16,})/dgi,
  /:\/\/[^\s/:@"']{0,100}:([^\s/@"']{6,200})@/dg,
];
